/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking calls on windows, to which one rank or another comes so late that those who wait give up looking
 * (collectives/execute/straight.c) and the engine goes on with their operation, from whichever step it has
 * come to: the same results, and all are in step for what follows. So it is with a root that runs ahead until
 * it finds no window free. */
#include <unistd.h>

#include "tests/job/job.h"

#define STEPS 18
#define AHEAD 100
#define SETS 40              /* of windows, more than a node has */
#define LATE_US 80000        /* longer than anybody looks */
#define VERY_LATE_US 1500000 /* longer than anybody sleeps */
#define MOST 60000           /* elements, several blocks of a window */

static int64_t mine[MOST], sum[MOST];
static int64_t *all; /* [size][MOST] */

static void fill(int step, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mine[i] = (int64_t)i * (rank + 1) + step;
        sum[i] = -1;
    }
}

/* Element `i` of all together. */
static int64_t total(int step, size_t i)
{
    return (int64_t)i * size * (size + 1) / 2 + (int64_t)step * size;
}

static void combine(int step, size_t count)
{
    fill(step, count);
    OK(tutti_allreduce(world, mine, sum, count, TUTTI_INT64, TUTTI_SUM));
    for (size_t i = 0; i < count; i++)
        EXPECT(sum[i] == total(step, i));
}

static void combine_at(int step, size_t count, int root)
{
    fill(step, count);
    OK(tutti_reduce(world, mine, sum, count, TUTTI_INT64, TUTTI_SUM, root));
    for (size_t i = 0; i < count && rank == root; i++)
        EXPECT(sum[i] == total(step, i));
}

static void spread(int step, size_t count, int root)
{
    fill(step, count);
    OK(tutti_bcast(world, mine, count * sizeof mine[0], root));
    for (size_t i = 0; i < count; i++)
        EXPECT(mine[i] == (int64_t)i * (root + 1) + step);
}

static void collect(int step, size_t count)
{
    fill(step, count);
    OK(tutti_allgather(world, mine, all, count * sizeof mine[0]));
    for (int r = 0; r < size; r++)
        for (size_t i = 0; i < count; i++)
            EXPECT(all[(size_t)r * count + i] == (int64_t)i * (r + 1) + step);
}

/* What the late one has not come to nobody can have left. */
static void meet(int step, int late)
{
    int64_t come = 0;
    if (rank == late) usleep(LATE_US);
    if (rank == late) come = step;
    OK(tutti_barrier(world));
    OK(tutti_bcast(world, &come, sizeof come, late));
    EXPECT(come == step);
}

static void run_ahead(void)
{
    if (rank != 0) usleep(LATE_US);
    for (int i = 0; i < AHEAD; i++)
        spread(i, 3, 0);
}

/* The windows are those of a communicator that is gone, whose only call had the same number. */
static void be_late_on_used_windows(void)
{
    tutti_comm *comm;
    tutti_request *request;
    int64_t one = 1, all_of_one[64], total_of_one;
    for (int i = 0; i < SETS; i++) {
        OK(tutti_comm_dup(world, &comm));
        OK(tutti_iallreduce(comm, &one, &total_of_one, 1, TUTTI_INT64, TUTTI_SUM, &request));
        OK(tutti_wait(&request, NULL));
        OK(tutti_comm_free(&comm));
    }
    OK(tutti_comm_dup(world, &comm));
    if (rank == 0) usleep(VERY_LATE_US);
    OK(tutti_iallgather(comm, &one, all_of_one, sizeof one, &request));
    OK(tutti_wait(&request, NULL));
    for (int r = 0; r < size; r++)
        EXPECT(all_of_one[r] == 1 && total_of_one == size);
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    setenv("TUTTI_BARRIER", "0-:counted", 1);
    setenv("TUTTI_ALLREDUCE", "0-1k:window;1k-:counted", 1);
    setenv("TUTTI_REDUCE", "0-:window", 1);
    setenv("TUTTI_BCAST", "0-:window", 1);
    setenv("TUTTI_ALLGATHER", "0-1k:counted;1k-:window", 1);
    job_open(TUTTI_THREAD_SINGLE);
    all = malloc((size_t)size * MOST * sizeof *all);
    EXPECT(all != NULL);
    uint64_t state = 5;
    for (int step = 0; step < STEPS; step++) {
        static const size_t counts[] = {1, 7, 500, 3000, MOST};
        const int late = (int)(job_random(&state) % (uint64_t)size), root = (late + step) % size;
        const size_t count = counts[job_random(&state) % 5];
        if (rank == late) usleep(LATE_US);
        switch (step % 6) {
        case 0: combine(step, count); break;
        case 1: combine_at(step, count, root); break;
        case 2: spread(step, count, root); break;
        case 3: collect(step, count); break;
        case 4: meet(step, late); break;
        default: run_ahead(); break;
        }
    }
    free(all);
    be_late_on_used_windows();
    return job_close();
}
