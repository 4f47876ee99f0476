/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends that wait for room are withdrawn, and others take their place at once: what was not withdrawn
 * arrives, in order, and the way to the peer works on. */
#include <unistd.h>

#include "tests/job/job.h"

#define SENDS 1500
#define ROUNDS 3
#define BYTES 4000 /* the ways to a peer hold few of them */

static tutti_request *requests[2][SENDS];
static int payloads[2][SENDS][BYTES / sizeof(int)];

static void start_all(int half, int round)
{
    for (int i = 0; i < SENDS; i++) {
        payloads[half][i][0] = (round * 2 + half) * SENDS + i;
        if (i % 16 == 15)
            OK(tutti_issend(world, payloads[half][i], BYTES, 1, 1, &requests[half][i]));
        else
            OK(tutti_isend(world, payloads[half][i], BYTES, 1, 1, &requests[half][i]));
    }
}

static int count_sent(int half)
{
    int sent = 0;
    for (int i = 0; i < SENDS; i++) {
        tutti_status status;
        const int code = tutti_wait(&requests[half][i], &status);
        EXPECT(code == 0 || code == TUTTI_ERR_CANCELLED);
        EXPECT(status.error == code);
        sent += code == 0;
    }
    return sent;
}

/* No call in between makes progress: the second half meets the queue as withdrawing left it. */
static void sender(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        start_all(0, round);
        for (int i = SENDS - 1; i >= 0; i--)
            if (i % (round + 1) == 0) OK(tutti_cancel(requests[0][i]));
        start_all(1, round);
        const int sent = count_sent(0) + count_sent(1);
        OK(tutti_send(world, &sent, sizeof sent, 1, 2));
        OK(tutti_recv(world, NULL, 0, 1, 3, NULL));
    }
}

static void receive_round(int *last)
{
    int message[BYTES / sizeof(int)], count = 0, sent = -1;
    while (sent < 0) {
        tutti_status status;
        OK(tutti_recv(world, message, sizeof message, 0, TUTTI_ANY_TAG, &status));
        if (status.tag == 2) {
            sent = message[0];
        } else {
            EXPECT(status.tag == 1 && status.bytes == BYTES && message[0] > *last);
            *last = message[0];
            count++;
        }
    }
    EXPECT(count == sent);
}

static void receiver(void)
{
    int last = -1;
    for (int round = 0; round < ROUNDS; round++) {
        usleep(200000); /* the sender meets a full mailbox */
        receive_round(&last);
        OK(tutti_send(world, NULL, 0, 0, 3));
    }
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (rank == 0) sender();
    if (rank == 1) receiver();
    return job_close();
}
