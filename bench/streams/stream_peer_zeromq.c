/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

#include "bench/streams/stream_bench.h"
#include "bench/streams/stream_peer.h"

#define SILENCE_MS 120000

typedef struct {
    void *context, *socket;
} side;

static void close_side(void *mine)
{
    side *one = mine;
    if (one->socket != NULL) zmq_close(one->socket);
    if (one->context != NULL) zmq_ctx_term(one->context);
    free(one);
}

static side *open_side(int kind)
{
    const int silence = SILENCE_MS, linger = 0;
    side *one = calloc(1, sizeof *one);
    if (one != NULL) one->context = zmq_ctx_new();
    if (one != NULL && one->context != NULL) one->socket = zmq_socket(one->context, kind);
    if (one != NULL && one->socket != NULL &&
        zmq_setsockopt(one->socket, ZMQ_SNDTIMEO, &silence, sizeof silence) == 0 &&
        zmq_setsockopt(one->socket, ZMQ_RCVTIMEO, &silence, sizeof silence) == 0 &&
        zmq_setsockopt(one->socket, ZMQ_LINGER, &linger, sizeof linger) == 0)
        return one;
    stream_fail("ZeroMQ", zmq_strerror(errno));
    if (one != NULL) close_side(one);
    return NULL;
}

static void *listen_there(char address[80])
{
    size_t bytes = 80;
    side *one = open_side(ZMQ_PULL);
    if (one == NULL) return NULL;
    if (zmq_bind(one->socket, "tcp://127.0.0.1:*") == 0 &&
        zmq_getsockopt(one->socket, ZMQ_LAST_ENDPOINT, address, &bytes) == 0)
        return one;
    stream_fail("ZeroMQ's listener", zmq_strerror(errno));
    close_side(one);
    return NULL;
}

static void *connect_there(const char *address)
{
    side *one = open_side(ZMQ_PUSH);
    if (one == NULL || zmq_connect(one->socket, address) == 0) return one;
    stream_fail("ZeroMQ's sender", zmq_strerror(errno));
    close_side(one);
    return NULL;
}

static bool send_copy(void *mine, const void *data, size_t bytes)
{
    if (zmq_send(((side *)mine)->socket, data, bytes, 0) == (int)bytes) return true;
    stream_fail("ZeroMQ, sending", zmq_strerror(errno));
    return false;
}

static void keep(void *data, void *hint)
{
    (void)data;
    (void)hint;
}

static bool send_in_place(void *mine, const void *data, size_t bytes)
{
    zmq_msg_t message;
    if (zmq_msg_init_data(&message, (void *)(uintptr_t)data, bytes, keep, NULL) == 0 &&
        zmq_msg_send(&message, ((side *)mine)->socket, 0) == (int)bytes)
        return true;
    stream_fail("ZeroMQ, sending in place", zmq_strerror(errno));
    return false;
}

static long receive(void *mine, void *data, size_t room)
{
    zmq_msg_t message;
    zmq_msg_init(&message);
    const int bytes = zmq_msg_recv(&message, ((side *)mine)->socket, 0);
    if (bytes < 0)
        stream_fail("ZeroMQ, receiving", zmq_strerror(errno));
    else
        memcpy(data, zmq_msg_data(&message), (size_t)bytes < room ? (size_t)bytes : room);
    zmq_msg_close(&message);
    return bytes;
}

const stream_peer stream_peer_zeromq = {listen_there, connect_there, send_copy, receive, close_side};
const stream_peer stream_peer_zeromq_in_place = {listen_there, connect_there, send_in_place, receive,
                                                 close_side};
