/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank calls tutti_finalize() while messages of it wait for their receiver, which is told that it is a
 * mistake. The receiver, who takes them later, gets those of which the data is here, also more than there
 * would be room for answers to; those that only were announced come whole where the rank is not gone yet, and
 * else end with TUTTI_ERR_STATE. None of these receives waits for ever. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

enum { SHORTS = 1000, LONG = 1 << 20, SHORT_TAG = 1, LONG_TAG, OTHER_TAG, NEVER_TAG };

static unsigned char room[LONG];

static void send_and_leave(void)
{
    static int shorts[SHORTS];
    tutti_request *request;
    payload_fill(room, LONG, (uint64_t)rank);
    OK(tutti_isend(world, room, LONG, 0, LONG_TAG, &request));
    OK(tutti_isend(world, room, LONG, 0, OTHER_TAG, &request));
    for (int i = 0; i < SHORTS; i++) {
        shorts[i] = i;
        OK(tutti_issend(world, &shorts[i], sizeof shorts[i], 0, SHORT_TAG, &request));
    }
    EXPECT(tutti_finalize() == TUTTI_ERR_STATE);
}

/* Until then no message of it is received. */
static void await_departure(int peer)
{
    int code, found;
    do
        code = tutti_iprobe(world, peer, NEVER_TAG, &found, NULL);
    while (code == 0);
    EXPECT(code == TUTTI_ERR_STATE);
}

static void expect_whole_or_left(int code, int peer, const tutti_status *status)
{
    EXPECT(status->source == peer && status->error == code);
    if (code == 0)
        EXPECT(status->bytes == LONG && payload_is(room, LONG, (uint64_t)peer));
    else
        EXPECT(code == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tutti_finalize()") != NULL);
    memset(room, 0, LONG);
}

static void receive_from(int peer)
{
    tutti_message *message;
    tutti_status status;
    for (int i = 0; i < SHORTS; i++) {
        int number = -1;
        OK(tutti_recv(world, &number, sizeof number, peer, SHORT_TAG, NULL));
        EXPECT(number == i);
    }
    expect_whole_or_left(tutti_recv(world, room, LONG, peer, LONG_TAG, &status), peer, &status);
    OK(tutti_mprobe(world, peer, OTHER_TAG, &message, NULL));
    expect_whole_or_left(tutti_mrecv(&message, room, LONG, &status), peer, &status);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (rank > 0) {
        send_and_leave();
        return 0;
    }
    for (int peer = 1; peer < size; peer++)
        await_departure(peer);
    for (int peer = 1; peer < size; peer++)
        receive_from(peer);
    return job_close();
}
