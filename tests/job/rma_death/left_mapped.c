/* SPDX-License-Identifier: BSD-3-Clause */
/* The last rank dies when the others have read in its memory, by windows and by a collective: none of them
 * has it mapped any more then, but for a window that is not ended yet, and its pages are free. */
#include <inttypes.h>

#include "tests/job/lose.h"

#define COUNT 100000

/* How often memory of that file is mapped here; with an address: the file that is mapped there. */
static int look_at_maps(uintptr_t address, uint64_t *file)
{
    char line[512];
    int times = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    EXPECT(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t begin, end;
        uint64_t inode;
        if (strstr(line, "tutti-memory") == NULL) continue;
        EXPECT(sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %" SCNu64, &begin, &end, &inode) == 3);
        if (begin <= address && address < end) *file = inode;
        times += inode == *file;
    }
    fclose(maps);
    return times;
}

static void read_from(tutti_window *window, int target)
{
    double value;
    OK(tutti_get(window, &value, sizeof value, target, 0, NULL));
}

static tutti_window *open_window(void *memory, int target)
{
    tutti_window *window;
    OK(tutti_window_create(world, memory, COUNT * sizeof(double), &window));
    read_from(window, target);
    OK(tutti_barrier(world));
    return window;
}

/* The death may have been told by another rank, and not be known here yet. */
static void await_unmapped(uint64_t file, int left)
{
    int count;
    while (look_at_maps(0, &file) > left)
        OK(tutti_comm_failed(world, NULL, 0, &count));
}

int main(void)
{
    void *memory, *sum, *other;
    uint64_t file = 0;
    job_open(TUTTI_THREAD_SINGLE);
    const int victim = size - 1;
    OK(tutti_mem_alloc(world, COUNT * sizeof(double), &memory));
    OK(tutti_mem_alloc(world, COUNT * sizeof(double), &sum));
    OK(tutti_mem_alloc(world, COUNT * sizeof(double), &other));
    look_at_maps((uintptr_t)memory, &file);
    OK(tutti_bcast(world, &file, sizeof file, victim));
    tutti_window *ended = open_window(memory, victim), *window = open_window(other, victim);
    OK(tutti_window_free(&ended));
    OK(tutti_allreduce(world, memory, sum, COUNT, TUTTI_DOUBLE, TUTTI_SUM));
    EXPECT(look_at_maps(0, &file) >= 2);
    lose(world, victim);
    await_unmapped(file, 1);
    EXPECT(look_at_maps(0, &file) == 1);
    EXPECT(tutti_window_free(&window) == TUTTI_ERR_PEER_FAILED);
    EXPECT(look_at_maps(0, &file) == 0);
    printf("rank %d is fine: 1 died\n", rank);
    tutti_finalize();
    return 0;
}
