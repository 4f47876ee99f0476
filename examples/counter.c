/* SPDX-License-Identifier: BSD-3-Clause */
/* Work handed out by a counter in rank 0's memory, which nobody serves: each rank fetches the next number and
 * adds one, in a single atomic operation, until the work is used up:  tuttirun -n 4 counter */
#include <stdint.h>
#include <stdio.h>
#include <tutti/tutti.h>

#define WORK 1000

int main(void)
{
    tutti_comm *world;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "counter: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world);

    void *counter = NULL; /* zeroed; at rank 0 alone */
    tutti_window *window;
    if (rank == 0) TUTTI_CHECK(tutti_mem_alloc(world, sizeof(int64_t), &counter));
    TUTTI_CHECK(tutti_window_create(world, counter, rank == 0 ? sizeof(int64_t) : 0, &window));

    const int64_t one = 1;
    int64_t next, mine[2] = {0, 0}, all[2]; /* how many pieces of work, and their sum */
    for (;;) {
        TUTTI_CHECK(tutti_fetch_op(window, &one, &next, TUTTI_INT64, TUTTI_SUM, 0, 0));
        if (next >= WORK) break;
        mine[0]++;
        mine[1] += next;
    }
    TUTTI_CHECK(tutti_allreduce(world, mine, all, 2, TUTTI_INT64, TUTTI_SUM));
    if (rank == 0)
        printf("%d pieces of work were done once each: rank 0 did %lld of them\n", (int)all[0],
               (long long)mine[0]);
    TUTTI_CHECK(tutti_window_free(&window));
    TUTTI_CHECK(tutti_mem_free(counter));
    TUTTI_CHECK(tutti_finalize());
    return all[0] != WORK || all[1] != (int64_t)WORK * (WORK - 1) / 2;
}
