/* SPDX-License-Identifier: BSD-3-Clause */
/* Other libraries that send messages one way, to set streams beside. */
#ifndef BENCH_STREAMS_STREAM_PEER_H
#define BENCH_STREAMS_STREAM_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* A way through a library. Whatever fails says why, and gives NULL or false; nothing waits longer than two
 * minutes. Opened and used in one process each. */
typedef struct {
    /* Listens on the loopback and tells where; what the sender connects to. */
    void *(*listen)(char address[80]);
    void *(*connect)(const char *address);
    /* `data` is not written before the end of all: a way that copies nothing may send from there. */
    bool (*send)(void *side, const void *data, size_t bytes);
    /* The next message, of which the first `room` bytes are copied. Its length, or -1. */
    long (*receive)(void *side, void *data, size_t room);
    void (*close)(void *side);
} stream_peer;

/* One round of `count` messages, whose lengths are looked at: seconds from the first until the receiver has
 * the last, or less than 0. */
double stream_peer_round(const stream_peer *peer, size_t bytes, long count);

extern const stream_peer stream_peer_zeromq;          /* zmq_send() */
extern const stream_peer stream_peer_zeromq_in_place; /* zmq_msg_init_data() */
extern const stream_peer stream_peer_nng;             /* nng_send() */

#endif
