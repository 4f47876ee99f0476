/* SPDX-License-Identifier: BSD-3-Clause */
/* Many collectives under way at once, on several communicators, among messages of the user's with tags that
 * look like theirs, completed in any order; persistent ones started again and again. */
#include <string.h>

#include "tests/job/job.h"

#define MANY 60
#define COMMS 3
#define LENGTH 300
#define ROUNDS 200

static tutti_comm *comms[COMMS];

/* The k-th collective started, a different one for each k, with data that tells which it is. */
static int64_t in[MANY][LENGTH], out[MANY][LENGTH * 16];

static void start(int k, tutti_request **request)
{
    tutti_comm *comm = comms[k % COMMS];
    const int root = k % size;
    for (int i = 0; i < LENGTH; i++)
        in[k][i] = (int64_t)k * 1000 + rank + i;
    memset(out[k], 0, sizeof out[k]);
    switch (k % 5) {
    case 0: OK(tutti_iallreduce(comm, in[k], out[k], LENGTH, TUTTI_INT64, TUTTI_SUM, request)); break;
    case 1: OK(tutti_ibcast(comm, in[k], sizeof in[k], root, request)); break;
    case 2: OK(tutti_ireduce(comm, in[k], out[k], LENGTH, TUTTI_INT64, TUTTI_MAX, root, request)); break;
    case 3: OK(tutti_iallgather(comm, in[k], out[k], 40, request)); break;
    default: OK(tutti_ibarrier(comm, request)); break;
    }
}

static void check(int k)
{
    const int root = k % size;
    for (int i = 0; i < LENGTH; i++) {
        const int64_t base = (int64_t)k * 1000 + i;
        if (k % 5 == 0) EXPECT(out[k][i] == base * size + (int64_t)size * (size - 1) / 2);
        if (k % 5 == 1) EXPECT(in[k][i] == base + root);
        if (k % 5 == 2 && rank == root) EXPECT(out[k][i] == base + size - 1);
    }
    for (int i = 0; k % 5 == 3 && i < 5 * size; i++)
        EXPECT(out[k][i] == (int64_t)k * 1000 + i / 5 + i % 5);
}

static void test_many(uint64_t seed)
{
    tutti_request *requests[MANY];
    tutti_request *sends[4], *receives[4];
    int got[4], value[4];
    for (int i = 0; i < 4; i++) {
        value[i] = rank * 10 + i;
        OK(tutti_irecv(comms[0], &got[i], sizeof got[i], (rank + size - 1) % size, i << 16, &receives[i]));
    }
    for (int k = 0; k < MANY; k++)
        start(k, &requests[k]);
    for (int i = 0; i < 4; i++)
        OK(tutti_isend(comms[0], &value[i], sizeof value[i], (rank + 1) % size, i << 16, &sends[i]));
    /* Completed in an order that differs from rank to rank. */
    uint64_t state = seed + (uint64_t)rank * 977 + 1;
    for (int left = MANY; left > 0;) {
        const int k = (int)(job_random(&state) % MANY);
        int done;
        if (requests[k] == NULL) continue;
        OK(tutti_test(&requests[k], &done, NULL));
        if (!done) continue;
        EXPECT(requests[k] == NULL);
        check(k);
        left--;
    }
    OK(tutti_waitall(4, sends, NULL));
    OK(tutti_waitall(4, receives, NULL));
    for (int i = 0; i < 4; i++)
        EXPECT(got[i] == (rank + size - 1) % size * 10 + i);
}

/* Three persistent requests of one shape at once, and blocking calls of the same shape between. */
static void test_persistent(void)
{
    static int64_t from[3][LENGTH], to[3][LENGTH], own[LENGTH];
    tutti_request *requests[3];
    for (int p = 0; p < 3; p++)
        OK(tutti_allreduce_init(comms[1], from[p], to[p], LENGTH, TUTTI_INT64, TUTTI_SUM, &requests[p]));
    for (int round = 0; round < ROUNDS; round++) {
        for (int p = 0; p < 3; p++)
            for (int i = 0; i < LENGTH; i++)
                from[p][i] = round * 3 + p + rank * i;
        OK(tutti_startall(3, requests));
        OK(tutti_allreduce(comms[1], from[0], own, LENGTH, TUTTI_INT64, TUTTI_SUM));
        OK(tutti_waitall(3, requests, NULL));
        for (int p = 0; p < 3; p++)
            for (int i = 0; i < LENGTH; i++)
                EXPECT(to[p][i] == (int64_t)(round * 3 + p) * size + (int64_t)size * (size - 1) / 2 * i);
        EXPECT(memcmp(own, to[0], sizeof own) == 0);
    }
    for (int p = 0; p < 3; p++)
        OK(tutti_request_free(&requests[p]));
}

/* A handle given up early, and a communicator freed while collectives on it are under way. */
static void test_given_up(void)
{
    tutti_comm *brief;
    tutti_request *request;
    static int64_t a[LENGTH], b[LENGTH];
    OK(tutti_comm_dup(comms[0], &brief));
    OK(tutti_iallreduce(brief, a, b, LENGTH, TUTTI_INT64, TUTTI_SUM, &request));
    OK(tutti_comm_free(&brief));
    EXPECT(brief == NULL);
    OK(tutti_wait(&request, NULL));
    OK(tutti_ibarrier(comms[0], &request));
    OK(tutti_request_free(&request));
    OK(tutti_barrier(comms[0]));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    comms[0] = world;
    for (int c = 1; c < COMMS; c++)
        OK(tutti_comm_dup(comms[0], &comms[c]));
    for (uint64_t seed = 0; seed < 10; seed++)
        test_many(seed);
    test_persistent();
    test_given_up();
    for (int c = 1; c < COMMS; c++)
        OK(tutti_comm_free(&comms[c]));
    return job_close();
}
