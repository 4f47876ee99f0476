/* SPDX-License-Identifier: BSD-3-Clause */
/* What was sent arrives, also when the sender ends at once and the receiver is slow: short messages, more
 * than a mailbox holds, and a long one whose request was given up. Forgotten requests are an error, not a
 * hang. */
#include <string.h>
#include <unistd.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define SHORTS 2000
#define LONG 700000

static unsigned char room[LONG];

static void send_and_leave(void)
{
    tutti_request *request;
    OK(tutti_recv(world, NULL, 0, 0, 5, NULL));
    static unsigned char shorts[SHORTS];
    for (int i = 0; i < SHORTS; i++) {
        shorts[i] = (unsigned char)i;
        OK(tutti_isend(world, &shorts[i], 1, 0, 1, &request));
        OK(tutti_request_free(&request));
    }
    payload_fill(room, LONG, (uint64_t)rank);
    OK(tutti_isend(world, room, LONG, 0, 2, &request));
    OK(tutti_request_free(&request));
}

static void receive_slowly(void)
{
    for (int r = 1; r < size; r++)
        OK(tutti_send(world, NULL, 0, r, 5));
    usleep(400000);
    for (int r = 1; r < size; r++) {
        for (int i = 0; i < SHORTS; i++) {
            unsigned char byte = 1;
            OK(tutti_recv(world, &byte, 1, r, 1, NULL));
            EXPECT(byte == (unsigned char)i);
        }
    }
    for (int r = 1; r < size; r++) {
        OK(tutti_recv(world, room, LONG, r, 2, NULL));
        EXPECT(payload_is(room, LONG, (uint64_t)r));
    }
}

int main(void)
{
    static unsigned char byte;
    tutti_request *forgotten;
    tutti_comm *again;
    job_open(TUTTI_THREAD_SINGLE);
    OK(tutti_init(&again, NULL));
    EXPECT(again == world);
    OK(tutti_finalize()); /* counted: nothing ends yet */
    if (rank == 0)
        receive_slowly();
    else
        send_and_leave();
    if (rank != 0) return job_close();
    OK(tutti_irecv(world, &byte, 1, 0, 9, &forgotten));
    EXPECT(tutti_finalize() == TUTTI_ERR_STATE);
    EXPECT(strstr(tutti_error_detail(), "still active: 1") != NULL);
    EXPECT(tutti_init(&again, NULL) == TUTTI_ERR_STATE);
    return 0;
}
