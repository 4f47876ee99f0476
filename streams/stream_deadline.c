/* SPDX-License-Identifier: BSD-3-Clause */
/* How long connecting, the handshake and closing may take. */
#include "runtime/base/clock.h"
#include "streams/stream_threads.h"

void tti_stream_set_deadline(tutti_stream *stream, int ms)
{
    stream->deadline = tti_clock_later(tti_clock_ns(), ms * TTI_NS_PER_MS);
    tti_list_remove(&stream->timed);
    tti_list_append(&stream->context->timed, &stream->timed);
    tti_stream_wake(stream->context);
}

static void out_of_time(tutti_stream *stream)
{
    const tutti_stream_options *options = &stream->context->options;
    if (stream->arrived && stream->phase < TTI_STREAM_OPEN)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT,
                       "%s has not finished its handshake for %d ms (handshake_timeout_ms)", stream->peer,
                       options->handshake_timeout_ms);
    else if (stream->phase != TTI_STREAM_CLOSING)
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s has not answered for %d ms (connect_timeout_ms)",
                       stream->peer, options->connect_timeout_ms);
    else if (stream->bye_left && stream->bye_arrived)
        tti_stream_end(stream, 0, "closed");
    else
        tti_stream_end(stream, TUTTI_ERR_TIMEOUT, "%s has not agreed to close for %d ms (close_timeout_ms)",
                       stream->peer, options->close_timeout_ms);
}

/* A program may look so seldom that a deadline is over when it looks next: its own word leaves only then, and
 * the peer's answer may have come in time. So a stream is late only if its deadline was over already when the
 * program looked before. One whose connection is gone ends by that. */
void tti_stream_end_late(tutti_stream_context *context)
{
    tti_link *at = context->timed.next;
    if (at == &context->timed) return;
    while (at != &context->timed) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, timed);
        at = at->next;
        if (stream->deadline <= context->looked && !stream->gone) out_of_time(stream);
    }
    context->looked = tti_clock_ns();
}

int64_t tti_stream_first_deadline(const tutti_stream_context *context)
{
    int64_t first = INT64_MAX;
    for (const tti_link *at = context->timed.next; at != &context->timed; at = at->next) {
        const int64_t one = TTI_OWNER(at, tutti_stream, timed)->deadline;
        if (one < first) first = one;
    }
    return first;
}
