/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement where nobody dies: the and of all flags, one agreement after the other, several begun at once, on
 * several communicators, beside messages and collectives; communicators that are freed after one. */
#include "tests/job/job.h"

#define ROUNDS 200
#define AHEAD 7

static uint64_t said(int who, int round)
{
    uint64_t state = (uint64_t)who * 1000003U + (uint64_t)round;
    return job_random(&state) | job_random(&state);
}

static uint64_t expected(int ranks, int stride, int round)
{
    uint64_t all = UINT64_MAX;
    for (int r = 0; r < ranks; r++)
        all &= said(r * stride, round);
    return all;
}

static void agree_often(tutti_comm *comm, int stride)
{
    const int mine = tutti_comm_rank(comm) * stride, ranks = tutti_comm_size(comm);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t flags = said(mine, round);
        OK(tutti_comm_agree(comm, &flags));
        EXPECT(flags == expected(ranks, stride, round));
    }
}

static void begin_several(void)
{
    uint64_t flags[AHEAD];
    tutti_request *requests[AHEAD];
    int64_t sum = 1;
    for (int i = 0; i < AHEAD; i++) {
        flags[i] = said(rank, i);
        OK(tutti_comm_iagree(world, &flags[i], &requests[i]));
        if (i % 3 == 0) OK(tutti_allreduce(world, TUTTI_IN_PLACE, &sum, 1, TUTTI_INT64, TUTTI_MAX));
    }
    OK(tutti_waitall(AHEAD, requests, NULL));
    for (int i = 0; i < AHEAD; i++)
        EXPECT(flags[i] == expected(size, 1, i));
}

/* The faster ranks agree on it, and free it, before others have it. */
static void free_soon(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        tutti_comm *dup;
        uint64_t flags = said(rank, i);
        OK(tutti_comm_dup(world, &dup));
        if (i % 3 > 0) {
            OK(tutti_comm_agree(dup, &flags));
            EXPECT(flags == expected(size, 1, i));
        }
        OK(tutti_comm_free(&dup));
    }
}

static void check_arguments(void)
{
    uint64_t flags = 1;
    tutti_request *request;
    EXPECT(tutti_comm_agree(NULL, &flags) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_agree(world, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_iagree(world, &flags, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_iagree(world, NULL, &request) == TUTTI_ERR_ARG);
}

int main(void)
{
    tutti_comm *reversed;
    job_open(TUTTI_THREAD_SINGLE);
    check_arguments();
    agree_often(world, 1);
    OK(tutti_comm_split(world, 0, -rank, &reversed));
    agree_often(reversed, 2);
    begin_several();
    free_soon();
    OK(tutti_comm_free(&reversed));
    return job_close();
}
