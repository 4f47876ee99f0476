/* SPDX-License-Identifier: BSD-3-Clause */
/* denied NUMBER: rank 1 gets no memory the NUMBERth time that it asks for some while a window is made.
 * Whatever that was for, no rank waits for ever: each has its window, or an error. */
#include "tests/job/job.h"
#include "tests/no_memory.h"

#define RANKS 3

static void expect_known(int code)
{
    EXPECT(code == 0 || code == TUTTI_ERR_NO_MEMORY || code == TUTTI_ERR_PEER_FAILED);
}

int main(int argc, char **argv)
{
    static char memory[64];
    tutti_window *window;
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(argc == 2 && size == RANKS);
    if (rank == 1) countdown = atoi(argv[1]) - 1;
    const int code = tutti_window_create(world, memory, sizeof memory, &window);
    const bool denied = rank == 1 && countdown < 0;
    countdown = -1;
    expect_known(code);
    if (code == 0) expect_known(tutti_window_free(&window));
    if (denied && code < 0) printf("rank 1: %s\n", tutti_strerror(code));
    if (rank == 1 && !denied) printf("rank 1 asked less often\n");
    tutti_finalize(); /* an error where ranks have given each other up */
    return 0;
}
