/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocking call takes the run that an earlier one has left, or a new one. While it waits for a rank that is
 * late, and a request that waits for its windows looks whether all ranks make the same calls, what the late
 * one told of an earlier call is not compared with this one. */
#include <unistd.h>

#include "tests/job/job.h"

#define LONG (1 << 17) /* elements, in whose buffers the ranks read */
#define AHEAD 200      /* more than windows of any kind */
#define PART 1024      /* elements, for which windows are of another kind than for LONG */
#define LATE_US 10000
#define VERY_LATE_US 150000

static double *mine, *result;

/* Rank 1 comes to it when rank 0 has given up looking and waits in earnest. */
static void call_before(tutti_comm *comm, size_t count)
{
    tutti_request *request;
    if (rank == 1) usleep(LATE_US);
    OK(tutti_iallreduce(comm, mine, result, count, TUTTI_DOUBLE, TUTTI_SUM, &request));
    OK(tutti_wait(&request, NULL));
}

static void call_ahead(tutti_comm *comm)
{
    static double ones[PART], sums[AHEAD][PART];
    tutti_request *requests[AHEAD];
    for (int i = 0; i < PART; i++)
        ones[i] = 1;
    if (rank == 1) usleep(VERY_LATE_US);
    for (int i = 0; i < AHEAD; i++)
        OK(tutti_iallreduce(comm, ones, sums[i], PART, TUTTI_DOUBLE, TUTTI_SUM, &requests[i]));
    result[LONG - 1] = 0;
    OK(tutti_allreduce(comm, mine, result, LONG, TUTTI_DOUBLE, TUTTI_MAX));
    EXPECT(result[LONG - 1] == size - 1);
    OK(tutti_waitall(AHEAD, requests, NULL));
    for (int i = 0; i < AHEAD; i++)
        EXPECT(sums[i][PART - 1] == size);
}

static void on_new(size_t count)
{
    tutti_comm *comm;
    OK(tutti_comm_dup(world, &comm));
    call_before(comm, count);
    call_ahead(comm);
    OK(tutti_comm_free(&comm));
}

int main(void)
{
    setenv("TUTTI_ALLREDUCE", "1m-:shown_parts", 1);
    setenv("TUTTI_WAIT", "spin", 1); /* else rank 0 sleeps, and looks too seldom to find anything */
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    OK(tutti_mem_alloc(world, LONG * sizeof *mine, (void **)&mine));
    OK(tutti_mem_alloc(world, LONG * sizeof *result, (void **)&result));
    for (int i = 0; i < LONG; i++)
        mine[i] = rank;
    on_new(LONG);
    on_new(1);
    OK(tutti_mem_free(mine));
    OK(tutti_mem_free(result));
    return job_close();
}
