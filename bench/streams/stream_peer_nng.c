/* SPDX-License-Identifier: BSD-3-Clause */
#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/streams/stream_bench.h"
#include "bench/streams/stream_peer.h"

#define SILENCE_MS 120000
#define QUEUED                                                                                               \
    512 /* messages that wait in a socket: as many as a stream's credits; nng alone has none by itself */

static void close_side(void *mine)
{
    nng_close(*(nng_socket *)mine);
    free(mine);
}

static void *refuse(nng_socket *one, const char *what, int code)
{
    stream_fail(what, nng_strerror(code));
    if (one != NULL) close_side(one);
    return NULL;
}

static void *listen_there(char address[80])
{
    nng_listener listener;
    nng_sockaddr at;
    nng_socket *one = calloc(1, sizeof *one);
    int code = one != NULL ? nng_pull0_open(one) : NNG_ENOMEM;
    if (code == 0) code = nng_socket_set_int(*one, NNG_OPT_RECVBUF, QUEUED);
    if (code == 0) code = nng_socket_set_ms(*one, NNG_OPT_RECVTIMEO, SILENCE_MS);
    if (code == 0) code = nng_listen(*one, "tcp://127.0.0.1:0", &listener, 0);
    if (code == 0) code = nng_listener_get_addr(listener, NNG_OPT_LOCADDR, &at);
    if (code != 0) return refuse(one, "nng's listener", code);
    const unsigned char *port = (const unsigned char *)&at.s_in.sa_port; /* in the network's order */
    snprintf(address, 80, "tcp://127.0.0.1:%d", port[0] * 256 + port[1]);
    return one;
}

static void *connect_there(const char *address)
{
    nng_socket *one = calloc(1, sizeof *one);
    int code = one != NULL ? nng_push0_open(one) : NNG_ENOMEM;
    if (code == 0) code = nng_socket_set_int(*one, NNG_OPT_SENDBUF, QUEUED);
    if (code == 0) code = nng_socket_set_ms(*one, NNG_OPT_SENDTIMEO, SILENCE_MS);
    if (code == 0) code = nng_dial(*one, address, NULL, 0);
    return code == 0 ? one : refuse(one, "nng's sender", code);
}

/* It copies; nng sends without only what lies in messages of its own. */
static bool send_copy(void *mine, const void *data, size_t bytes)
{
    const int code = nng_send(*(nng_socket *)mine, (void *)(uintptr_t)data, bytes, 0);
    if (code != 0) stream_fail("nng, sending", nng_strerror(code));
    return code == 0;
}

static long receive(void *mine, void *data, size_t room)
{
    nng_msg *message;
    const int code = nng_recvmsg(*(nng_socket *)mine, &message, 0);
    if (code != 0) return stream_fail("nng, receiving", nng_strerror(code));
    const size_t bytes = nng_msg_len(message);
    memcpy(data, nng_msg_body(message), bytes < room ? bytes : room);
    nng_msg_free(message);
    return (long)bytes;
}

const stream_peer stream_peer_nng = {listen_there, connect_there, send_copy, receive, close_side};
