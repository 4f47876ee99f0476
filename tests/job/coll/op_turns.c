/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective of the one thread that may call Tutti, and tutti_reduce_local() of others, which may at any
 * level: one call of a user's operation ends before the next begins. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "tests/job/job.h"

#define CALLS 200

static _Atomic int inside;
static _Atomic bool over;

static void count_calls(const void *in, void *inout, size_t count, void *context)
{
    EXPECT(inside++ == 0);
    sched_yield(); /* to a thread that calls it, too, if one may */
    for (size_t i = 0; i < count; i++)
        ((int *)inout)[i] += ((const int *)in)[i];
    ++*(long *)context;
    EXPECT(--inside == 0);
}

static void *combine_often(void *op)
{
    const int in = 1;
    int inout = 0, calls = 0;
    for (; !over; calls++) {
        OK(tutti_reduce_local(&in, &inout, 1, TUTTI_TYPE_BYTES(sizeof(int)), op));
        sched_yield();
    }
    EXPECT(inout == calls);
    return NULL;
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_op *op;
    long calls = 0;
    pthread_t thread;
    OK(tutti_op_create(count_calls, 1, &calls, &op));
    EXPECT(pthread_create(&thread, NULL, combine_often, op) == 0);
    for (int i = 0; i < CALLS; i++) {
        int sum = 0;
        OK(tutti_allreduce(world, &rank, &sum, 1, TUTTI_TYPE_BYTES(sizeof(int)), op));
        EXPECT(sum == size * (size - 1) / 2);
    }
    over = true;
    EXPECT(pthread_join(thread, NULL) == 0);
    OK(tutti_op_free(&op));
    return job_close();
}
