/* SPDX-License-Identifier: BSD-3-Clause */
/* Allreduce where ranks change, each when it likes, between memory from tutti_mem_alloc() and their own: what
 * all know of the last call does not hold for the next one. */
#include <stdlib.h>

#include "tests/job/job.h"

#define MOST 100000 /* bytes */
#define TURNS 40

static const size_t sizes[] = {8, 1024, 2048, 6144, 8176, 8192, MOST};

/* Long stretches of one kind, and now and then another one at some ranks. */
static int32_t *pick(int turn, int32_t *shared, int32_t *plain)
{
    if (turn % 10 < 6) return turn / 10 % 2 == 0 ? shared : plain;
    return (turn + rank) % 3 == 0 ? shared : plain;
}

static void check_turn(int turn, size_t count, int32_t *send, int32_t *recv)
{
    for (size_t i = 0; i < count; i++)
        send[i] = (int32_t)i + rank * turn;
    OK(tutti_allreduce(world, send, recv, count, TUTTI_INT32, TUTTI_SUM));
    const int32_t ranks = size * (size - 1) / 2 * turn;
    for (size_t i = 0; i < count; i++)
        EXPECT(recv[i] == (int32_t)i * size + ranks);
    OK(tutti_allreduce(world, TUTTI_IN_PLACE, send, count, TUTTI_INT32, TUTTI_SUM));
    for (size_t i = 0; i < count; i++)
        EXPECT(send[i] == recv[i]);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    int32_t *shared, *plain = malloc(2 * MOST);
    EXPECT(plain != NULL);
    OK(tutti_mem_alloc(world, 2 * MOST, (void **)&shared));
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int32_t *send = pick(turn, shared, plain), *recv = pick(turn + 1, shared, plain);
            check_turn(turn, sizes[s] / sizeof *send, send, recv + MOST / sizeof *recv);
        }
    OK(tutti_barrier(world));
    OK(tutti_mem_free(shared));
    free(plain);
    return job_close();
}
