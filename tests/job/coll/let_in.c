/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that loops over collectives in which it never waits takes in messages all the same, whatever was
 * called before the loop. Whether it has is seen in the buffer of a receive that it neither waits for nor
 * tests. */
#include "tests/job/job.h"

#define OFFSETS 33
#define LOOPS 2000
#define SENT_AT 100 /* ranks that share windows are never so far apart that the loop is over by then */

static tutti_comm *pair;
static volatile int arrived;

static void bcast(int here)
{
    int value = here;
    OK(tutti_bcast(pair, &value, sizeof value, 0));
}

static void reduce(int here)
{
    int sum;
    OK(tutti_reduce(pair, &here, &sum, 1, TUTTI_INT32, TUTTI_SUM, 1));
}

/* Rank 0 is kept waiting only where the two fall apart too far. */
static void loop(void (*call)(int))
{
    tutti_request *request = NULL;
    arrived = 0;
    if (rank == 0) OK(tutti_irecv(world, (void *)(uintptr_t)&arrived, sizeof arrived, 1, 5, &request));
    for (int i = 0; i < LOOPS; i++) {
        const int one = 1;
        if (rank == 1 && i == SENT_AT) OK(tutti_send(world, &one, sizeof one, 0, 5));
        call(i);
    }
    if (rank != 0) return;
    EXPECT(arrived == 1);
    OK(tutti_wait(&request, NULL));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    const int shared = job_shares_memory();
    OK(tutti_comm_split(world, rank < 2 ? 0 : TUTTI_UNDEFINED, 0, &pair));
    for (int offset = 0; offset < OFFSETS && rank < 2 && shared; offset++) {
        loop(bcast);
        loop(reduce);
        OK(tutti_barrier(pair));
    }
    if (pair != NULL) OK(tutti_comm_free(&pair));
    OK(tutti_barrier(world));
    return job_close();
}
