/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets of many sizes to every rank, with and without requests. */
#ifndef TESTS_JOB_RMA_PUT_GET_CHECKS_H
#define TESTS_JOB_RMA_PUT_GET_CHECKS_H

#include "tests/job/rma/rma_job.h"

#define REGION 300000 /* each rank writes to a region of its own at each target */
#define ROUNDS 6

static uint64_t seed_of(int from, int to, int round)
{
    return (uint64_t)(from * 1009 + to * 31 + round * 7);
}

static size_t size_of(int from, int to, int round)
{
    uint64_t state = seed_of(from, to, round) + 1;
    const size_t large = job_random(&state) % REGION, small = job_random(&state) % 200;
    return round == 0 ? REGION : round % 2 == 0 ? large : small;
}

/* Puts to all; the second half of the ranks' puts with requests. */
static void put_round(tutti_window *window, unsigned char *buffers, int round)
{
    tutti_request *requests[64] = {NULL};
    for (int to = 0; to < size; to++) {
        unsigned char *buf = buffers + (size_t)to * REGION;
        const size_t bytes = size_of(rank, to, round);
        payload_fill(buf, bytes, seed_of(rank, to, round));
        const int asks = (to + round) % 2;
        OK(tutti_put(window, buf, bytes, to, (size_t)rank * REGION, asks ? &requests[to] : NULL));
        if (!asks) memset(buf, 0, bytes);
    }
    OK(tutti_waitall(size, requests, NULL));
    OK(tutti_flush(window, TUTTI_ALL));
}

static void check_round(const job_window *w, int round)
{
    for (int from = 0; from < size; from++)
        EXPECT(payload_is(w->base + (size_t)from * REGION, size_of(from, rank, round),
                          seed_of(from, rank, round)));
}

/* What each rank put at each other one is fetched back by a third. */
static void get_round(tutti_window *window, unsigned char *buffers, int round)
{
    tutti_request *requests[64] = {NULL};
    const int from = (rank + 1) % size;
    for (int to = 0; to < size; to++)
        OK(tutti_get(window, buffers + (size_t)to * REGION, size_of(from, to, round), to,
                     (size_t)from * REGION, (to + round) % 2 ? &requests[to] : NULL));
    OK(tutti_waitall(size, requests, NULL));
    for (int to = 0; to < size; to++)
        EXPECT(payload_is(buffers + (size_t)to * REGION, size_of(from, to, round), seed_of(from, to, round)));
}

static void check_put_get(int shared)
{
    job_window w = job_window_open((size_t)size * REGION, shared);
    unsigned char *buffers = malloc((size_t)size * REGION);
    EXPECT(buffers != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        put_round(w.window, buffers, round);
        OK(tutti_barrier(world));
        check_round(&w, round);
        get_round(w.window, buffers, round);
        OK(tutti_barrier(world));
    }
    free(buffers);
    job_window_close(&w);
}

/* One large piece in one call. */
static void check_large(int shared)
{
    const size_t bytes = size <= 4 ? 8 << 20 : 1 << 20;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    job_window w = job_window_open(bytes + 3, shared);
    unsigned char *buf = malloc(bytes);
    EXPECT(buf != NULL);
    payload_fill(buf, bytes, (uint64_t)rank);
    OK(tutti_put(w.window, buf, bytes, right, 3, NULL));
    OK(tutti_flush(w.window, right));
    OK(tutti_barrier(world));
    EXPECT(payload_is(w.base + 3, bytes, (uint64_t)left));
    OK(tutti_get(w.window, buf, bytes, right, 3, NULL));
    EXPECT(payload_is(buf, bytes, (uint64_t)rank));
    OK(tutti_barrier(world));
    free(buf);
    job_window_close(&w);
}

#endif
