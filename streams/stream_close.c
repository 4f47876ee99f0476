/* SPDX-License-Identifier: BSD-3-Clause */
/* Closing: each side says BYE as its last frame; who was asked to close ends as soon as it has the other's
 * BYE and its own has left, and the other one when the connection then goes. So neither closes a socket in
 * which the other's frames still lie.
 *
 *   asked to close          other side
 *   messages … BYE  ─────→  on_message …
 *                   ←─────  messages … BYE
 *   ends            ──────  sees the connection go: ends */
#include "streams/stream_threads.h"

void tti_stream_finish(tutti_stream *stream)
{
    if (stream->asked && stream->bye_left && stream->bye_arrived) tti_stream_end(stream, 0, "closed");
}

void tti_stream_say_bye(tutti_stream *stream)
{
    if (stream->bye_queued || stream->phase == TTI_STREAM_ENDED) return; /* the reaper has it */
    stream->bye_queued = true;
    stream->phase = TTI_STREAM_CLOSING;
    tti_stream_set_deadline(stream, stream->context->options.close_timeout_ms);
    tti_stream_send_bundle(stream);
    tti_stream_queue(stream, stream->bye_slot, TTI_FRAME_BYE);
}

static void close_one(tutti_stream *stream)
{
    if (stream->sharers > 0) { /* others need it still */
        stream->sharers--;
        return;
    }
    stream->asked = true;
    if (stream->phase < TTI_STREAM_OPEN)
        tti_stream_end(stream, TUTTI_ERR_CANCELLED, "closed before it was open");
    else if (stream->phase == TTI_STREAM_OPEN)
        tti_stream_say_bye(stream);
    else
        tti_stream_finish(stream);
}

int tutti_stream_close(tutti_stream *stream)
{
    const int code = tti_stream_begin(stream, "tutti_stream_close");
    if (code < 0) return code;
    close_one(stream);
    return tti_stream_leave(stream->context, 0);
}

int tutti_stream_abort(tutti_stream *stream)
{
    const int code = tti_stream_begin(stream, "tutti_stream_abort");
    if (code < 0) return code;
    tti_stream_end(stream, TUTTI_ERR_CANCELLED, "ended by tutti_stream_abort()");
    return tti_stream_leave(stream->context, 0);
}
