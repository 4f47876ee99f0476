/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: persistent ones, the waits and tests on several, withdrawing, giving up handles. Pairs of
 * neighbours (0,1), (2,3), …; a last odd rank talks to itself. */
#include <string.h>

#include "tests/job/job.h"

#define MANY 50

static int peer;

static void sync_with_peer(void)
{
    OK(tutti_sendrecv(world, NULL, 0, peer, 999, NULL, 0, peer, 999, NULL));
}

static void test_persistent(void)
{
    int out[2], in[2] = {0, 0};
    tutti_request *requests[4];
    tutti_status statuses[4];
    OK(tutti_recv_init(world, &in[0], sizeof in[0], peer, 1, &requests[0]));
    OK(tutti_recv_init(world, &in[1], sizeof in[1], TUTTI_ANY_SOURCE, 2, &requests[1]));
    OK(tutti_send_init(world, &out[0], sizeof out[0], peer, 1, &requests[2]));
    OK(tutti_send_init(world, &out[1], sizeof out[1], peer, 2, &requests[3]));
    OK(tutti_wait(&requests[0], &statuses[0])); /* inactive: complete */
    EXPECT(requests[0] != NULL && statuses[0].source == TUTTI_ANY_SOURCE && statuses[0].bytes == 0);
    for (int i = 0; i < MANY; i++) {
        out[0] = rank * 1000 + i;
        out[1] = -out[0];
        OK(tutti_startall(4, requests));
        EXPECT(i > 0 || tutti_start(requests[0]) == TUTTI_ERR_STATE);
        OK(tutti_waitall(4, requests, statuses));
        EXPECT(in[0] == peer * 1000 + i && in[1] == -in[0]);
        EXPECT(statuses[1].source == peer && statuses[1].tag == 2 && statuses[1].bytes == sizeof in[1]);
    }
    for (int i = 0; i < 4; i++) {
        OK(tutti_request_free(&requests[i]));
        EXPECT(requests[i] == NULL);
    }
}

/* Of several the first that cannot begin is named; those before it are active, it and those behind are not.
 */
static void test_start_some(void)
{
    int out = rank, in[3] = {-1, -1, -1};
    tutti_comm *revoked;
    tutti_request *requests[3];
    tutti_status status;
    OK(tutti_comm_dup(world, &revoked));
    OK(tutti_recv_init(world, &in[0], sizeof in[0], rank, 800, &requests[0]));
    OK(tutti_recv_init(revoked, &in[1], sizeof in[1], rank, 800, &requests[1]));
    OK(tutti_recv_init(world, &in[2], sizeof in[2], rank, 800, &requests[2]));
    OK(tutti_barrier(world));
    OK(tutti_comm_revoke(revoked));
    EXPECT(tutti_startall(3, requests) == TUTTI_ERR_REVOKED);
    EXPECT(strstr(tutti_error_detail(), "tutti_startall: requests[1]: ") == tutti_error_detail());
    EXPECT(strstr(tutti_error_detail(), "revoked") != NULL);
    EXPECT(tutti_start(requests[0]) == TUTTI_ERR_STATE);
    EXPECT(tutti_start(requests[1]) == TUTTI_ERR_REVOKED);
    EXPECT(strstr(tutti_error_detail(), "requests[") == NULL);
    OK(tutti_wait(&requests[1], &status)); /* inactive: complete */
    OK(tutti_wait(&requests[2], &status));
    EXPECT(requests[2] != NULL && status.source == TUTTI_ANY_SOURCE);
    OK(tutti_send(world, &out, sizeof out, rank, 800));
    OK(tutti_wait(&requests[0], &status));
    EXPECT(in[0] == rank && in[2] == -1 && status.source == rank);
    for (int i = 0; i < 3; i++)
        OK(tutti_request_free(&requests[i]));
    OK(tutti_comm_free(&revoked));
}

static void start_many(tutti_request *requests[], int in[], int out[])
{
    for (int i = 0; i < MANY; i++) {
        out[i] = rank * MANY + i;
        in[i] = -1;
        OK(tutti_irecv(world, &in[i], sizeof in[i], peer, i, &requests[i]));
    }
    for (int i = MANY - 1; i >= 0; i--)
        OK(tutti_send(world, &out[i], sizeof out[i], peer, i));
}

static void check_many(const int in[])
{
    for (int i = 0; i < MANY; i++)
        EXPECT(in[i] == peer * MANY + i);
}

static void test_waitany(void)
{
    tutti_request *requests[MANY + 1];
    int in[MANY], out[MANY], index, seen = 0;
    tutti_status status;
    requests[MANY] = NULL;
    start_many(requests, in, out);
    for (int i = 0; i < MANY; i++) {
        OK(tutti_waitany(MANY + 1, requests, &index, &status));
        EXPECT(index >= 0 && index < MANY && requests[index] == NULL && status.tag == index);
        seen++;
    }
    OK(tutti_waitany(MANY + 1, requests, &index, &status));
    EXPECT(index == -1 && seen == MANY && status.source == TUTTI_ANY_SOURCE);
    check_many(in);
}

static void test_waitsome(void)
{
    tutti_request *requests[MANY];
    tutti_status statuses[MANY];
    int in[MANY], out[MANY], indices[MANY], done, total = 0;
    start_many(requests, in, out);
    while (total < MANY) {
        OK(tutti_waitsome(MANY, requests, &done, indices, statuses));
        EXPECT(done >= 1);
        for (int i = 0; i < done; i++)
            EXPECT(requests[indices[i]] == NULL && statuses[i].tag == indices[i]);
        total += done;
    }
    OK(tutti_waitsome(MANY, requests, &done, indices, statuses));
    EXPECT(done == -1 && total == MANY);
    check_many(in);
}

static void test_tests(void)
{
    tutti_request *requests[MANY];
    int in[MANY], out[MANY], done = 0, index, first = -1;
    start_many(requests, in, out);
    while (first < 0)
        OK(tutti_testany(MANY, requests, &first, &done, NULL));
    for (done = 0; !done;) {
        index = (first + 1) % MANY;
        OK(tutti_test(&requests[index], &done, NULL));
        EXPECT(!done || requests[index] == NULL);
    }
    for (done = 0; !done;)
        OK(tutti_testall(MANY, requests, &done, NULL));
    check_many(in);
    OK(tutti_testany(MANY, requests, &index, &done, NULL));
    EXPECT(done == 1 && index == -1);
}

static void test_cancel(void)
{
    char byte = 0;
    tutti_request *request;
    tutti_status status;
    OK(tutti_irecv(world, &byte, 1, peer, 500, &request));
    OK(tutti_cancel(request));
    EXPECT(tutti_wait(&request, &status) == TUTTI_ERR_CANCELLED);
    EXPECT(status.error == TUTTI_ERR_CANCELLED && request == NULL);
    sync_with_peer();
    /* What was withdrawn takes no message. */
    OK(tutti_isend(world, &byte, 1, peer, 500, &request));
    OK(tutti_recv(world, &byte, 1, peer, 500, NULL));
    OK(tutti_wait(&request, NULL));
    /* A receive that has its message is not withdrawn any more. */
    OK(tutti_irecv(world, &byte, 1, peer, 501, &request));
    OK(tutti_send(world, &byte, 1, peer, 501));
    sync_with_peer();
    OK(tutti_cancel(request));
    OK(tutti_wait(&request, &status));
    EXPECT(status.bytes == 1);
}

/* Sends that find no room can be withdrawn; those before them arrive. */
static void test_cancel_send(void)
{
    enum { SENDS = 3000, BYTES = 4000 };
    static char out[BYTES], in[BYTES];
    static tutti_request *requests[SENDS];
    int cancelled = 0;
    sync_with_peer();
    for (int i = 0; i < SENDS; i++)
        OK(tutti_isend(world, out, BYTES, peer, 600, &requests[i]));
    for (int i = SENDS / 2; i < SENDS; i++)
        OK(tutti_cancel(requests[i]));
    for (int i = 0; i < SENDS; i++) {
        const int code = tutti_wait(&requests[i], NULL);
        EXPECT(code == 0 || (code == TUTTI_ERR_CANCELLED && i >= SENDS / 2));
        cancelled += code != 0;
    }
    int expected = 0;
    OK(tutti_send(world, &cancelled, sizeof cancelled, peer, 601));
    OK(tutti_recv(world, &expected, sizeof expected, peer, 601, NULL));
    for (int i = 0; i < SENDS - expected; i++)
        OK(tutti_recv(world, in, BYTES, peer, 600, NULL));
    sync_with_peer();
    int found;
    OK(tutti_iprobe(world, peer, 600, &found, NULL));
    EXPECT(!found);
}

/* Two that failed in different ways, both of which are complete. */
static void fail_two(tutti_request *requests[2])
{
    static int in, out[2];
    int found;
    OK(tutti_irecv(world, &in, sizeof in, rank, 700, &requests[0]));
    OK(tutti_irecv(world, &in, sizeof in, rank, 701, &requests[1]));
    OK(tutti_send(world, out, sizeof out, rank, 700));
    OK(tutti_cancel(requests[1]));
    OK(tutti_iprobe(world, rank, 702, &found, NULL)); /* makes progress */
}

/* The detail is the first one's, whose error is returned. */
static void test_first_error(void)
{
    tutti_request *requests[2];
    tutti_status statuses[2];
    int done, indices[2];
    fail_two(requests);
    EXPECT(tutti_waitall(2, requests, NULL) == TUTTI_ERR_TRUNCATE);
    EXPECT(strstr(tutti_error_detail(), "longer than the buffer") != NULL);
    fail_two(requests);
    EXPECT(tutti_waitsome(2, requests, &done, indices, statuses) == TUTTI_ERR_TRUNCATE);
    EXPECT(strstr(tutti_error_detail(), "longer than the buffer") != NULL);
    EXPECT(done == 2 && indices[0] == 0 && indices[1] == 1);
    EXPECT(statuses[0].error == TUTTI_ERR_TRUNCATE && statuses[1].error == TUTTI_ERR_CANCELLED);
}

/* Handles given up: the operations complete all the same, also after the last call but finalize. */
static void test_orphans(void)
{
    enum { BYTES = 300000 };
    static char out[BYTES], in[BYTES];
    static int value;
    tutti_request *request;
    memset(out, rank + 1, BYTES);
    value = rank;
    OK(tutti_isend(world, out, BYTES, peer, 700, &request));
    OK(tutti_request_free(&request));
    EXPECT(request == NULL);
    OK(tutti_recv(world, in, BYTES, peer, 700, NULL));
    EXPECT(in[0] == peer + 1 && in[BYTES - 1] == peer + 1);
    sync_with_peer();
    OK(tutti_isend(world, &value, sizeof value, TUTTI_PROC_NULL, 0, &request));
    OK(tutti_request_free(&request));
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    peer = (rank ^ 1) < size ? rank ^ 1 : rank;
    test_persistent();
    test_start_some();
    test_waitany();
    test_waitsome();
    test_tests();
    test_cancel();
    if (peer != rank) test_cancel_send();
    test_first_error();
    test_orphans();
    return job_close();
}
