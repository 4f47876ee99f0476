/* SPDX-License-Identifier: BSD-3-Clause */
/* What a receive takes: truncation, probes, matched probes, synchronous sends, and order among wildcards.
 * Rank 0 receives from all others. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

#define LONG 200000

static unsigned char *room;

/* Rank 0 begins, so that nothing comes to it that a wildcard receive could take. */
static void sync_all(int tag)
{
    if (rank != 0) {
        OK(tutti_recv(world, NULL, 0, 0, tag, NULL));
        OK(tutti_send(world, NULL, 0, 0, tag));
        return;
    }
    for (int r = 1; r < size; r++)
        OK(tutti_send(world, NULL, 0, r, tag));
    for (int r = 1; r < size; r++)
        OK(tutti_recv(world, NULL, 0, r, tag, NULL));
}

/* Of `sent` bytes the first `taken` fit; the next message is whole again. */
static void truncate_one(int from, size_t sent, size_t taken)
{
    tutti_status status;
    if (rank == from) {
        payload_fill(room, sent, sent);
        OK(tutti_send(world, room, sent, 0, 1));
        OK(tutti_ssend(world, room, sent, 0, 1));
        OK(tutti_send(world, room, sent, 0, 1));
    }
    if (rank != 0) return;
    for (int i = 0; i < 2; i++) {
        memset(room, 0xab, sent);
        EXPECT(tutti_recv(world, room, taken, from, 1, &status) == TUTTI_ERR_TRUNCATE);
        EXPECT(status.error == TUTTI_ERR_TRUNCATE && status.bytes == sent && status.source == from);
        EXPECT(payload_is(room, taken, sent) && (taken == sent || room[taken] == 0xab));
        EXPECT(strstr(tutti_error_detail(), "longer than the buffer") != NULL);
    }
    OK(tutti_recv(world, room, sent, from, 1, &status));
    EXPECT(status.bytes == sent && payload_is(room, sent, sent));
}

static void test_truncation(void)
{
    truncate_one(size - 1, 100, 10);
    truncate_one(size - 1, 100, 0);
    truncate_one(size - 1, LONG, LONG - 1);
    truncate_one(size - 1, LONG, 0);
    sync_all(2);
}

static void test_probes(void)
{
    tutti_status status;
    tutti_message *message;
    int found, value = rank;
    if (rank == size - 1) {
        OK(tutti_send(world, &value, sizeof value, 0, 10));
        payload_fill(room, LONG, 3);
        OK(tutti_send(world, room, LONG, 0, 11));
    }
    if (rank == 0) {
        OK(tutti_iprobe(world, TUTTI_ANY_SOURCE, 12, &found, &status));
        EXPECT(!found);
        OK(tutti_probe(world, TUTTI_ANY_SOURCE, 11, &status));
        EXPECT(status.source == size - 1 && status.tag == 11 && status.bytes == LONG);
        for (found = 0; !found;)
            OK(tutti_improbe(world, size - 1, TUTTI_ANY_TAG, &found, &message, &status));
        EXPECT(status.tag == 10);
        OK(tutti_iprobe(world, size - 1, 10, &found, NULL));
        EXPECT(!found); /* it is taken */
        tutti_message *second;
        OK(tutti_mprobe(world, size - 1, TUTTI_ANY_TAG, &second, &status));
        EXPECT(status.tag == 11);
        tutti_request *request;
        OK(tutti_imrecv(&second, room, LONG, &request));
        EXPECT(second == NULL);
        OK(tutti_wait(&request, &status));
        EXPECT(status.bytes == LONG && payload_is(room, LONG, 3));
        OK(tutti_mrecv(&message, &value, sizeof value, &status));
        EXPECT(value == size - 1 && message == NULL);
    }
    sync_all(13);
}

/* A synchronous send is over only when it was received: nothing can be in between. */
static void test_synchronous(void)
{
    const size_t sizes[] = {0, 8, 5000, LONG};
    for (int i = 0; i < 4; i++) {
        int done = 0;
        tutti_request *request;
        if (rank == size - 1) {
            OK(tutti_issend(world, room, sizes[i], 0, 20, &request));
            for (int n = 0; n < 200; n++) {
                OK(tutti_test(&request, &done, NULL));
                EXPECT(!done);
            }
            OK(tutti_send(world, NULL, 0, 0, 21));
            OK(tutti_wait(&request, NULL));
        }
        if (rank == 0) {
            OK(tutti_recv(world, NULL, 0, size - 1, 21, NULL));
            OK(tutti_recv(world, room, sizes[i], TUTTI_ANY_SOURCE, 20, NULL));
        }
    }
    sync_all(22);
}

/* Receives are served in the order of posting, messages in the order of sending, whatever the wildcards. */
static void test_order(void)
{
    enum { EACH = 200 };
    static tutti_request *requests[EACH];
    static int values[EACH];
    if (rank == 0) {
        for (int i = 0; i < EACH; i++)
            OK(tutti_irecv(world, &values[i], sizeof values[i], i % 2 == 0 ? size - 1 : TUTTI_ANY_SOURCE,
                           i % 3 == 0 ? 30 : TUTTI_ANY_TAG, &requests[i]));
        OK(tutti_send(world, NULL, 0, size - 1, 31));
        OK(tutti_waitall(EACH, requests, NULL));
        for (int i = 0; i < EACH; i++)
            EXPECT(values[i] == i);
    } else if (rank == size - 1) {
        OK(tutti_recv(world, NULL, 0, 0, 31, NULL));
        for (int i = 0; i < EACH; i++)
            OK(tutti_send(world, &i, sizeof i, 0, 30));
    }
    sync_all(32);
}

/* Short and long ones, sent in turn, do not overtake. */
static void test_lengths(void)
{
    enum { EACH = 40 };
    if (rank == size - 1) {
        for (int i = 0; i < EACH; i++) {
            const size_t bytes = i % 2 == 0 ? LONG : 16;
            payload_fill(room, bytes, (uint64_t)i);
            OK(tutti_send(world, room, bytes, 0, 40));
        }
    }
    for (int i = 0; i < EACH && rank == 0; i++) {
        tutti_status status;
        OK(tutti_recv(world, room, LONG, TUTTI_ANY_SOURCE, TUTTI_ANY_TAG, &status));
        EXPECT(status.bytes == (i % 2 == 0 ? LONG : 16) && payload_is(room, status.bytes, (uint64_t)i));
    }
    sync_all(41);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    room = malloc(LONG);
    EXPECT(room != NULL);
    test_truncation();
    test_probes();
    test_synchronous();
    test_order();
    test_lengths();
    free(room);
    return job_close();
}
