/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends whose messages have been announced are cancelled: they end though nobody receives them, and no
 * receiver sees them; those that a receive or a matched probe has taken arrive whole. */
#include "tests/job/job.h"
#include "tests/job/payload.h"

#define LONG 200000
#define SENDS 8
#define ROUNDS 60

static unsigned char out[SENDS][LONG], in[LONG];

static void start(tutti_request *sends[SENDS], int tag)
{
    for (int i = 0; i < SENDS; i++) {
        payload_fill(out[i], LONG, (uint64_t)(tag * SENDS + i));
        if (i % 2 == 0)
            OK(tutti_isend(world, out[i], LONG, 1, tag, &sends[i]));
        else
            OK(tutti_issend(world, out[i], 100, 1, tag, &sends[i]));
    }
}

/* Cancels all; returns how many have arrived all the same. */
static int cancel(tutti_request *sends[SENDS])
{
    int arrived = 0;
    for (int i = 0; i < SENDS; i++)
        OK(tutti_cancel(sends[i]));
    for (int i = 0; i < SENDS; i++) {
        tutti_status status;
        const int code = tutti_wait(&sends[i], &status);
        EXPECT((code == 0 || code == TUTTI_ERR_CANCELLED) && status.error == code);
        arrived += code == 0;
    }
    return arrived;
}

/* The receiver waits for something else; afterwards it finds nothing. */
static void nobody_receives(void)
{
    if (rank == 0) {
        tutti_request *sends[SENDS];
        start(sends, 1);
        OK(tutti_recv(world, NULL, 0, 1, 9, NULL)); /* all of them have come there */
        EXPECT(cancel(sends) == 0);
        OK(tutti_send(world, NULL, 0, 1, 2));
    } else if (rank == 1) {
        int found;
        OK(tutti_probe(world, 0, 1, NULL));
        OK(tutti_send(world, NULL, 0, 0, 9));
        OK(tutti_recv(world, NULL, 0, 0, 2, NULL));
        OK(tutti_iprobe(world, TUTTI_ANY_SOURCE, 1, &found, NULL));
        EXPECT(!found);
    }
}

static void matched_probe_keeps(void)
{
    if (rank == 0) {
        tutti_request *sends[SENDS];
        start(sends, 3);
        OK(tutti_recv(world, NULL, 0, 1, 9, NULL));
        EXPECT(cancel(sends) == 2);
        OK(tutti_send(world, NULL, 0, 1, 2));
    } else if (rank == 1) {
        tutti_message *taken[2];
        tutti_request *receive;
        for (int i = 0; i < 2; i++)
            OK(tutti_mprobe(world, 0, 3, &taken[i], NULL));
        OK(tutti_send(world, NULL, 0, 0, 9));
        OK(tutti_imrecv(&taken[1], in, LONG, &receive));
        OK(tutti_wait(&receive, NULL));
        EXPECT(payload_is(in, 100, 3 * SENDS + 1));
        OK(tutti_mrecv(&taken[0], in, LONG, NULL));
        EXPECT(payload_is(in, LONG, 3 * SENDS));
        OK(tutti_recv(world, NULL, 0, 0, 2, NULL));
    }
}

/* Receives and cancels meet at all moments: each message either is received or was cancelled. */
static void send_and_cancel(int round, uint64_t *random)
{
    tutti_request *sends[SENDS];
    start(sends, 4);
    for (uint64_t n = job_random(random) % 300; n > 0; n--) {
        int found;
        OK(tutti_iprobe(world, 1, 5, &found, NULL));
    }
    const int arrived = cancel(sends);
    OK(tutti_send(world, &arrived, sizeof arrived, 1, 6 + round % 2));
}

static void receive_all(int round)
{
    int expected, count = 0, last = -1;
    tutti_status status;
    do {
        OK(tutti_recv(world, in, LONG, 0, TUTTI_ANY_TAG, &status));
        if (status.tag != 4) break;
        const size_t bytes = status.bytes;
        int i = last + 1;
        while (i < SENDS &&
               !(bytes == (i % 2 == 0 ? LONG : 100) && payload_is(in, bytes, (uint64_t)(4 * SENDS + i))))
            i++;
        EXPECT(i < SENDS);
        last = i;
        count++;
    } while (count <= SENDS);
    EXPECT(status.tag == 6 + round % 2 && status.bytes == sizeof expected);
    memcpy(&expected, in, sizeof expected);
    EXPECT(count == expected);
}

int main(void)
{
    uint64_t random = 7;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    nobody_receives();
    matched_probe_keeps();
    for (int round = 0; round < ROUNDS && rank < 2; round++) {
        if (rank == 0)
            send_and_cancel(round, &random);
        else
            receive_all(round);
    }
    OK(tutti_barrier(world));
    return job_close();
}
