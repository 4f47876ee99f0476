/* SPDX-License-Identifier: BSD-3-Clause */
/* Each form of sending and receiving once, between every pair of neighbours and with oneself. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

static void test_ring(size_t bytes)
{
    unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    EXPECT(out != NULL && in != NULL);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    tutti_status status;
    payload_fill(out, bytes, (uint64_t)rank);
    memset(in, 0xee, bytes + 1);
    OK(tutti_sendrecv(world, out, bytes, right, 7, in, bytes, left, 7, &status));
    EXPECT(status.source == left && status.tag == 7 && status.bytes == bytes && status.error == 0);
    EXPECT(payload_is(in, bytes, (uint64_t)left) && in[bytes] == 0xee);
    free(out);
    free(in);
}

/* Rank by rank a blocking token, so that send and recv are seen alone. */
static void test_token(void)
{
    int token = 0;
    tutti_status status;
    if (rank > 0) {
        OK(tutti_recv(world, &token, sizeof token, rank - 1, TUTTI_ANY_TAG, &status));
        EXPECT(token == rank && status.tag == rank - 1 && status.bytes == sizeof token);
    }
    token = rank + 1;
    if (rank < size - 1) OK(tutti_send(world, &token, sizeof token, rank + 1, rank));
}

static void test_self(size_t bytes)
{
    unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
    EXPECT(out != NULL && in != NULL);
    tutti_request *requests[2];
    tutti_status statuses[2];
    payload_fill(out, bytes, 99);
    OK(tutti_isend(world, out, bytes, rank, 5, &requests[0]));
    OK(tutti_irecv(world, in, bytes, TUTTI_ANY_SOURCE, 5, &requests[1]));
    OK(tutti_waitall(2, requests, statuses));
    EXPECT(statuses[1].source == rank && statuses[1].tag == 5 && payload_is(in, bytes, 99));
    OK(tutti_irecv(world, in, bytes, rank, 6, &requests[1]));
    OK(tutti_issend(world, out, bytes, rank, 6, &requests[0]));
    OK(tutti_waitall(2, requests, NULL));
    EXPECT(requests[0] == NULL && requests[1] == NULL && payload_is(in, bytes, 99));
    free(out);
    free(in);
}

static void test_nobody(void)
{
    char byte = 1;
    tutti_status status;
    OK(tutti_send(world, &byte, 1, TUTTI_PROC_NULL, 0));
    OK(tutti_recv(world, &byte, 1, TUTTI_PROC_NULL, 0, &status));
    EXPECT(status.source == TUTTI_PROC_NULL && status.tag == TUTTI_ANY_TAG && status.bytes == 0 && byte == 1);
    OK(tutti_probe(world, TUTTI_PROC_NULL, 0, &status));
    tutti_message *message;
    OK(tutti_mprobe(world, TUTTI_PROC_NULL, 0, &message, &status));
    OK(tutti_mrecv(&message, &byte, 1, &status));
    EXPECT(message == NULL && status.source == TUTTI_PROC_NULL);
}

static void test_arguments(void)
{
    char byte = 0;
    EXPECT(tutti_send(NULL, &byte, 1, 0, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_send(world, NULL, 1, 0, 0) == TUTTI_ERR_ARG);
    EXPECT(tutti_send(world, &byte, 1, size, 0) == TUTTI_ERR_RANK);
    EXPECT(tutti_send(world, &byte, 1, TUTTI_ANY_SOURCE, 0) == TUTTI_ERR_RANK);
    EXPECT(tutti_send(world, &byte, 1, 0, TUTTI_ANY_TAG) == TUTTI_ERR_TAG);
    EXPECT(tutti_recv(world, &byte, 1, -3, 0, NULL) == TUTTI_ERR_RANK);
    EXPECT(tutti_recv(world, &byte, 1, 0, -2, NULL) == TUTTI_ERR_TAG);
    EXPECT(tutti_isend(world, &byte, 1, 0, 0, NULL) == TUTTI_ERR_ARG);
    EXPECT(tutti_wait(NULL, NULL) == TUTTI_ERR_ARG);
}

int main(void)
{
    static const size_t sizes[] = {0,     1,     8,     100,    8192,   8193,    16384,
                                   16385, 65536, 65537, 131072, 131073, 1 << 20, 8 << 20};
    job_open(TUTTI_THREAD_SINGLE);
    test_token();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_ring(sizes[i]);
        test_self(sizes[i]);
    }
    test_nobody();
    test_arguments();
    OK(tutti_finalize());
    EXPECT(tutti_send(world, NULL, 0, 0, 0) == TUTTI_ERR_STATE);
    return 0;
}
