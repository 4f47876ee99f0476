/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of which the second part is unmapped, or all protected, under its window, read over a fabric: its
 * owner ends by SIGSEGV, as it would on a node, and the reader is told. */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/job/job.h"

#define BYTES ((size_t)64 << 20)

int main(int argc, char **argv)
{
    static char here[(size_t)1 << 20];
    tutti_window *window;
    job_open(TUTTI_THREAD_SINGLE);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(argc == 2 && size == 2 && memory != MAP_FAILED);
    OK(tutti_window_create(world, memory, BYTES, &window));
    OK(tutti_barrier(world));
    signal(SIGSEGV, SIG_DFL);
    if (rank == 1 && strcmp(argv[1], "unmapped") == 0) OK(munmap(memory + page, BYTES - page));
    if (rank == 1 && strcmp(argv[1], "protected") == 0) OK(mprotect(memory, BYTES, PROT_NONE));
    OK(tutti_barrier(world));
    if (rank == 0) {
        EXPECT(tutti_get(window, here, sizeof here, 1, 0, NULL) == TUTTI_ERR_PEER_FAILED);
        printf("rank 0 was told\n");
    }
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_PEER_FAILED);
    return job_close();
}
