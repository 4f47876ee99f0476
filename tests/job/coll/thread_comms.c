/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads at once: each has a communicator of its own on which it reduces, and makes and frees others, in an
 * order that differs from rank to rank, so that agreements on contexts cross each other. */
#include <pthread.h>

#include "tests/job/job.h"

#define THREADS 4
#define ROUNDS 60

typedef struct {
    pthread_t thread;
    tutti_comm *comm;
    int index;
} worker;

static void reduce(tutti_comm *comm, int64_t seed)
{
    int64_t mine[50], all[50];
    for (int i = 0; i < 50; i++)
        mine[i] = seed + rank + i;
    OK(tutti_allreduce(comm, mine, all, 50, TUTTI_INT64, TUTTI_SUM));
    for (int i = 0; i < 50; i++)
        EXPECT(all[i] == (seed + i) * size + (int64_t)size * (size - 1) / 2);
}

static void *work(void *argument)
{
    const worker *w = argument;
    for (int round = 0; round < ROUNDS; round++) {
        tutti_comm *made;
        reduce(w->comm, w->index * 1000 + round);
        OK(tutti_comm_dup(w->comm, &made));
        reduce(made, w->index * 7000 + round);
        OK(tutti_barrier(made));
        OK(tutti_comm_free(&made));
    }
    return NULL;
}

int main(void)
{
    worker workers[THREADS];
    job_open(TUTTI_THREAD_MULTIPLE);
    for (int i = 0; i < THREADS; i++) {
        workers[i].index = i;
        OK(tutti_comm_dup(world, &workers[i].comm));
    }
    for (int i = 0; i < THREADS; i++) {
        worker *w = &workers[(i + rank) % THREADS];
        EXPECT(pthread_create(&w->thread, NULL, work, w) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_join(workers[i].thread, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        OK(tutti_comm_free(&workers[i].comm));
    return job_close();
}
