/* SPDX-License-Identifier: BSD-3-Clause */
/* A flush waits for what has begun before it, and not for what other threads begin meanwhile: it ends while
 * they go on. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "tests/job/rma/rma_job.h"
#include "tests/patience.h"

#define PUTTERS 2
/* Of such a length that they end one after the other: there is always one that is not over. */
#define AT_A_TIME 8
#define LONG ((size_t)256 << 10)
#define FLUSHES 20

static job_window w;
static int target;
static char longs[LONG];
static atomic_int busy;  /* putters that have many under way */
static atomic_int tired; /* putters whose patience ended before the flushes */
static atomic_bool flushed;

static void *put_on(void *argument)
{
    const size_t offset = *(const size_t *)argument;
    tutti_request *requests[AT_A_TIME] = {NULL};
    const double end = job_now_s() + PATIENCE_S;
    for (unsigned begun = 0; !flushed && job_now_s() < end; begun++) {
        tutti_request **request = &requests[begun % AT_A_TIME];
        OK(tutti_wait(request, NULL));
        OK(tutti_put(w.window, longs, LONG, target, offset, request));
        busy += begun == AT_A_TIME;
    }
    OK(tutti_waitall(AT_A_TIME, requests, NULL));
    tired += !flushed;
    return NULL;
}

static void flush_among_others(void)
{
    pthread_t putters[PUTTERS];
    size_t offsets[PUTTERS];
    for (size_t i = 0; i < PUTTERS; i++) {
        offsets[i] = 8 + LONG * i;
        EXPECT(pthread_create(&putters[i], NULL, put_on, &offsets[i]) == 0);
    }
    while (busy < PUTTERS)
        sched_yield();
    for (uint64_t i = 0; i < FLUSHES; i++) {
        uint64_t seen;
        OK(tutti_put(w.window, &i, sizeof i, target, 0, NULL));
        OK(tutti_flush(w.window, i % 2 == 0 ? target : TUTTI_ALL));
        OK(tutti_get(w.window, &seen, sizeof seen, target, 0, NULL));
        EXPECT(seen == i);
    }
    EXPECT(tired == 0);
    flushed = true;
    for (int i = 0; i < PUTTERS; i++)
        EXPECT(pthread_join(putters[i], NULL) == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_MULTIPLE);
    job_need(2);
    target = size - 1;
    w = job_window_open(8 + LONG * PUTTERS, 0);
    if (rank == 0) flush_among_others();
    OK(tutti_barrier(world));
    job_window_close(&w);
    return job_close();
}
