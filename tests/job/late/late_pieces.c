/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets of several pieces, each with a short one behind it, which a provider may report first: all come in
 * the order in which they were sent. Each rank sends to the next one. */
#include "tests/job/job.h"

#define ROUNDS 1000
#define LONG 12000
#define SHORTS 3
#define TAG 1

static uint8_t sent[LONG], received[LONG];

static void send_round(int to, int round, tutti_request **requests)
{
    static uint8_t words[SHORTS];
    memset(sent, round, LONG);
    OK(tutti_isend(world, sent, LONG, to, TAG, requests++));
    for (int i = 0; i < SHORTS; i++) {
        words[i] = (uint8_t)(round + i);
        OK(tutti_isend(world, &words[i], 1, to, TAG, requests++));
    }
}

static void receive_round(int from, int round)
{
    memset(received, ~round, LONG);
    tutti_status status;
    OK(tutti_recv(world, received, LONG, from, TAG, &status));
    EXPECT(status.bytes == LONG);
    for (int i = 0; i < LONG; i++)
        EXPECT(received[i] == (uint8_t)round);
    for (int i = 0; i < SHORTS; i++) {
        uint8_t word = 0;
        OK(tutti_recv(world, &word, 1, from, TAG, &status));
        EXPECT(status.bytes == 1 && word == (uint8_t)(round + i));
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        tutti_request *requests[1 + SHORTS];
        send_round(next, round, requests);
        receive_round(before, round);
        for (int i = 0; i < 1 + SHORTS; i++)
            OK(tutti_wait(&requests[i], NULL));
    }
    return job_close();
}
