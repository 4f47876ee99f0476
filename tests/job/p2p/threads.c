/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_THREAD_MULTIPLE: threads that talk to the same-numbered thread of the next rank, each on tags of its
 * own, blocking and nonblocking; while one sleeps others complete what it waits for. */
#include <pthread.h>
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define THREADS 4
#define ROUNDS 60

static void exchange(int tag, uint64_t *state, unsigned char *out, unsigned char *in)
{
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    const size_t bytes = job_random(state) % 3 == 0 ? job_random(state) % 60000 : job_random(state) % 64;
    const uint64_t seed = job_random(state);
    tutti_request *requests[2];
    tutti_status status;
    payload_fill(out, bytes, seed);
    if (job_random(state) % 2 == 0) {
        OK(tutti_sendrecv(world, out, bytes, right, tag, in, bytes, left, tag, &status));
    } else {
        OK(tutti_irecv(world, in, bytes, left, tag, &requests[0]));
        OK(tutti_isend(world, out, bytes, right, tag, &requests[1]));
        OK(tutti_wait(&requests[1], NULL));
        OK(tutti_wait(&requests[0], &status));
    }
    EXPECT(status.bytes == bytes && payload_is(in, bytes, seed));
}

/* Two threads of one rank: the one receives what the other sends, so that neither may block the other. */
static void talk_to_oneself(int tag, int round)
{
    int value = round;
    if (tag % 2 == 0) {
        OK(tutti_ssend(world, &value, sizeof value, rank, 100 + tag));
    } else {
        tutti_status status;
        OK(tutti_probe(world, rank, 100 + tag - 1, &status));
        OK(tutti_recv(world, &value, sizeof value, rank, 100 + tag - 1, NULL));
        EXPECT(value == round);
    }
}

static void *run(void *argument)
{
    const int tag = *(const int *)argument;
    uint64_t state = (uint64_t)tag; /* the same on every rank, so that sizes agree */
    unsigned char *out = malloc(60000), *in = malloc(60000);
    EXPECT(out != NULL && in != NULL);
    for (int i = 0; i < ROUNDS; i++) {
        exchange(tag, &state, out, in);
        talk_to_oneself(tag, i);
    }
    free(out);
    free(in);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int tags[THREADS];
    job_open(TUTTI_THREAD_MULTIPLE);
    for (int i = 0; i < THREADS; i++) {
        tags[i] = i;
        EXPECT(pthread_create(&threads[i], NULL, run, &tags[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_join(threads[i], NULL) == 0);
    return job_close();
}
