/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ends of a stream, in two processes: what the tests of streams share. */
#ifndef TESTS_STREAMS_ENDS_H
#define TESTS_STREAMS_ENDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tests/unit/expect.h"
#include "tutti/stream.h"

/* The first thing that main() does. With the argument "unshared" libfabric seems to have no shared receive
 * context, so that each connection has receives of its own; with "registered" it wants to know of all memory
 * that is sent from; with "uncoalesced" each message is an operation
 * of its own, unless a test asks otherwise; with "polling" contexts are made for programs that never wait. */
void ends_setup(int argc, char **argv);

/* What one end has seen; the `user` of its callbacks. */
typedef struct {
    tutti_stream *stream; /* NULL before on_open and after on_closed */
    bool opened, ready, closed, refused;
    int code, streams; /* of on_closed or on_refused; how many are open */
    char why[512];
    uint64_t messages; /* received, as ends_message() checks them */
    uint64_t sent;
    size_t most;              /* longest message sent; 0: what there is room for */
    bool unchecked;           /* messages are not those of one ends_send() alone */
    bool (*keep)(void *data); /* whether the message is held; NULL: none is */
} end;

/* Callbacks that fill an `end`; messages are checked to be those of ends_send(), in order. */
tutti_stream_callbacks ends_callbacks(end *mine);
/* Sends message number mine->sent, of a length and content that follow from the number. False: not now. */
bool ends_send(end *mine);
/* Sends until `count` have been sent, and waits as an event loop does where that is not possible now. */
void ends_send_all(tutti_stream_context *context, end *mine, uint64_t count);

/* Waits on the descriptor and processes, until *done or, patiently, no progress. */
void ends_until(tutti_stream_context *context, const bool *done, const char *what);
/* As ends_until() for two contexts in one process, without waiting on either. */
void ends_until_both(tutti_stream_context *context, tutti_stream_context *other, const bool *done);
void ends_until_messages(tutti_stream_context *context, const end *mine, uint64_t count);
void ends_close(tutti_stream_context *context, end *mine);

tutti_stream_context *ends_context(const tutti_stream_options *options);
/* Listens on a free port of the loopback. */
tutti_stream_listener *ends_listen(tutti_stream_context *context, end *mine, char address[80]);
/* Connects and waits until it is open. */
void ends_connect(tutti_stream_context *context, end *mine, const char *address);

/* Runs body(address) in a process of its own, which dies with this one. */
pid_t ends_start(void (*body)(const char *address), const char *address);
/* Waits for it; it must have exited with 0. */
void ends_join(pid_t child);

#endif
