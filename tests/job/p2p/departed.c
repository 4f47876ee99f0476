/* SPDX-License-Identifier: BSD-3-Clause */
/* What can no longer come about as ranks have called tutti_finalize() ends with TUTTI_ERR_STATE and names one
 * of them; what they had sent before is received. First the last rank leaves, while the others call a
 * collective, then all but the first one. */
#include <string.h>

#include "tests/job/job.h"
#include "tests/job/payload.h"

enum { SHORTS = 300, LONG = 300000, SHORT_TAG = 1, LONG_TAG, OWN_TAG, NEVER_TAG, MOST_RANKS = 64 };

static unsigned char room[LONG];
static tutti_request *waited[MOST_RANKS], *tested[MOST_RANKS]; /* by rank, started before it leaves */

static void expect_left(int code)
{
    EXPECT(code == TUTTI_ERR_STATE && strstr(tutti_error_detail(), "tutti_finalize()") != NULL);
}

static void expect_named(int code, int peer)
{
    char name[40];
    snprintf(name, sizeof name, "rank %d of", peer);
    expect_left(code);
    EXPECT(strstr(tutti_error_detail(), name) != NULL);
}

/* For the last one nobody receives before it has left: a long message would keep it. */
static void send_and_leave(void)
{
    tutti_request *request = NULL;
    payload_fill(room, LONG, (uint64_t)rank);
    if (rank < size - 1) OK(tutti_isend(world, room, LONG, 0, LONG_TAG, &request));
    for (int i = 0; i < SHORTS; i++) {
        const int number = i;
        OK(tutti_send(world, &number, sizeof number, 0, SHORT_TAG));
    }
    OK(tutti_wait(&request, NULL));
}

/* They lie here for long when they are received. */
static void receive_what_was_sent(int peer)
{
    tutti_status status;
    int number;
    for (int i = 0; i < SHORTS; i++) {
        OK(tutti_probe(world, peer, SHORT_TAG, &status));
        EXPECT(status.source == peer && status.bytes == sizeof number);
        OK(tutti_recv(world, &number, sizeof number, peer, SHORT_TAG, &status));
        EXPECT(number == i && status.source == peer);
    }
}

/* It leaves when all are through what they call together: else that might not end well for some. */
static void meet_last(void)
{
    if (rank < size - 1) OK(tutti_send(world, NULL, 0, size - 1, SHORT_TAG));
    for (int r = 0; rank == size - 1 && r < rank; r++)
        OK(tutti_recv(world, NULL, 0, r, SHORT_TAG, NULL));
}

static void start_early(void)
{
    for (int peer = 1; peer < size; peer++) {
        OK(tutti_irecv(world, NULL, 0, peer, NEVER_TAG, &waited[peer]));
        OK(tutti_irecv(world, NULL, 0, peer, NEVER_TAG, &tested[peer]));
    }
}

static void receive_from(int peer)
{
    tutti_request *request;
    tutti_status status;
    int found, done = 0;
    tutti_message *message;
    if (peer < size - 1) OK(tutti_recv(world, room, LONG, peer, LONG_TAG, NULL));
    if (peer < size - 1) EXPECT(payload_is(room, LONG, (uint64_t)peer));
    expect_named(tutti_wait(&waited[peer], &status), peer);
    EXPECT(status.source == peer && status.error == TUTTI_ERR_STATE);
    EXPECT(tutti_test(&tested[peer], &done, NULL) == TUTTI_ERR_STATE && done);
    expect_named(tutti_recv(world, NULL, 0, peer, NEVER_TAG, &status), peer);
    EXPECT(status.source == peer && status.error == TUTTI_ERR_STATE);
    expect_named(tutti_irecv(world, NULL, 0, peer, NEVER_TAG, &request), peer);
    expect_named(tutti_probe(world, peer, NEVER_TAG, NULL), peer);
    expect_named(tutti_iprobe(world, peer, NEVER_TAG, &found, NULL), peer);
    expect_named(tutti_mprobe(world, peer, NEVER_TAG, &message, NULL), peer);
    expect_named(tutti_improbe(world, peer, NEVER_TAG, &found, &message, NULL), peer);
    expect_named(tutti_sendrecv(world, NULL, 0, 0, OWN_TAG, NULL, 0, peer, NEVER_TAG, NULL), peer);
    OK(tutti_recv(world, NULL, 0, 0, OWN_TAG, NULL));
}

static void persist(void)
{
    tutti_request *request;
    OK(tutti_recv_init(world, NULL, 0, TUTTI_ANY_SOURCE, NEVER_TAG, &request));
    OK(tutti_start(request));
    expect_left(tutti_wait(&request, NULL));
    OK(tutti_request_free(&request));
    OK(tutti_recv_init(world, NULL, 0, size - 1, NEVER_TAG, &request));
    expect_named(tutti_start(request), size - 1);
    OK(tutti_request_free(&request));
}

/* A rank may still send to itself, but not while it waits. */
static void receive_from_any(void)
{
    tutti_request *request;
    tutti_status status;
    int found;
    tutti_message *message;
    OK(tutti_irecv(world, NULL, 0, TUTTI_ANY_SOURCE, OWN_TAG, &request));
    OK(tutti_iprobe(world, TUTTI_ANY_SOURCE, NEVER_TAG, &found, NULL));
    EXPECT(!found);
    OK(tutti_send(world, NULL, 0, 0, OWN_TAG));
    OK(tutti_wait(&request, &status));
    EXPECT(status.source == 0);
    expect_left(tutti_recv(world, NULL, 0, TUTTI_ANY_SOURCE, NEVER_TAG, NULL));
    expect_left(tutti_probe(world, TUTTI_ANY_SOURCE, NEVER_TAG, NULL));
    expect_left(tutti_mprobe(world, TUTTI_ANY_SOURCE, NEVER_TAG, &message, NULL));
    OK(tutti_irecv(world, NULL, 0, TUTTI_ANY_SOURCE, NEVER_TAG, &request));
    expect_left(tutti_waitall(1, &request, NULL));
    persist();
}

int main(void)
{
    tutti_window *window;
    uint64_t *signal;
    job_open(TUTTI_THREAD_SINGLE);
    job_need(2);
    if (rank == 0) start_early();
    OK(tutti_mem_alloc(world, sizeof *signal, (void **)&signal));
    *signal = 0;
    OK(tutti_window_create(world, signal, sizeof *signal, &window));
    OK(tutti_put_signal(window, NULL, 0, 0, 0, 0, 1));
    OK(tutti_barrier(world));
    meet_last();
    if (rank < size - 1) expect_left(tutti_barrier(world));
    if (rank < size - 1) expect_left(tutti_barrier(world));
    if (rank > 0) send_and_leave();
    for (int peer = 1; peer < size && rank == 0; peer++)
        receive_from(peer);
    for (int peer = 1; peer < size && rank == 0; peer++)
        receive_what_was_sent(peer);
    if (rank == 0) receive_from_any();
    if (rank == 0) OK(tutti_signal_wait(window, 0, (uint64_t)size, NULL));
    if (rank == 0) expect_left(tutti_signal_wait(window, 0, (uint64_t)size + 1, NULL));
    return job_close();
}
