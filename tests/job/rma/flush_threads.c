/* SPDX-License-Identifier: BSD-3-Clause */
/* A flush waits for what has begun before it, and not for what other threads begin meanwhile: it ends while
 * they go on. */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/job/rma/rma_job.h"

#define PUTTERS 2
#define AT_A_TIME 8 /* so there is always one that is not over */
#define MOST 100000 /* puts of a thread: a flush that waits for all of them fails */
#define FLUSHES 20

static job_window w;
static int target;
static atomic_int ended; /* putters that came to their end */
static atomic_bool flushed;

static void *put_on(void *argument)
{
    const size_t offset = *(const size_t *)argument;
    const uint64_t value = offset;
    tutti_request *requests[AT_A_TIME] = {NULL};
    int begun = 0;
    for (; begun < MOST && !flushed; begun++) {
        tutti_request **request = &requests[begun % AT_A_TIME];
        OK(tutti_wait(request, NULL));
        OK(tutti_put(w.window, &value, sizeof value, target, offset, request));
    }
    OK(tutti_waitall(AT_A_TIME, requests, NULL));
    ended += begun == MOST;
    return NULL;
}

static void flush_among_others(void)
{
    pthread_t putters[PUTTERS];
    size_t offsets[PUTTERS];
    for (size_t i = 0; i < PUTTERS; i++) {
        offsets[i] = 8 * (i + 1);
        EXPECT(pthread_create(&putters[i], NULL, put_on, &offsets[i]) == 0);
    }
    for (uint64_t i = 0; i < FLUSHES; i++) {
        uint64_t seen;
        OK(tutti_put(w.window, &i, sizeof i, target, 0, NULL));
        OK(tutti_flush(w.window, i % 2 == 0 ? target : TUTTI_ALL));
        OK(tutti_get(w.window, &seen, sizeof seen, target, 0, NULL));
        EXPECT(seen == i);
    }
    EXPECT(ended == 0);
    flushed = true;
    for (int i = 0; i < PUTTERS; i++)
        EXPECT(pthread_join(putters[i], NULL) == 0);
}

int main(void)
{
    job_open(TUTTI_THREAD_MULTIPLE);
    job_need(2);
    target = size - 1;
    w = job_window_open(8 * (PUTTERS + 1), 0);
    if (rank == 0) flush_among_others();
    OK(tutti_barrier(world));
    job_window_close(&w);
    return job_close();
}
