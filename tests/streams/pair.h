/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ends of a stream in one context, and a count of what the sender hands to libfabric. */
#ifndef TESTS_STREAMS_PAIR_H
#define TESTS_STREAMS_PAIR_H

#include "streams/stream_state.h"
#include "tests/streams/ends.h"

#define NEVER 3600000 /* ms: a deadline that does not pass */

typedef struct {
    tutti_stream_context *context;
    tutti_stream_listener *listener;
    end near, far; /* `far` sends, messages of up to 50 bytes */
    char address[80];
} pair;

/* Network operations with messages that `far` has begun, since the last pair_open(). */
extern int pair_operations;

void pair_open(pair *both, const tutti_stream_options *options);
/* `far` closes, unless it has ended. */
void pair_close(pair *both);
/* `far` sends so many, none of which may have to wait. */
void pair_send(pair *both, int count);

#endif
