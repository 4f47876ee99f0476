/* SPDX-License-Identifier: BSD-3-Clause */
/* Coalescing: small messages of a stream share a network operation. The first one's slot is the bundle; of
 * each that follows a whole frame is copied behind, and its own slot is free again at once.
 *
 *     │ head │ message │ zeros │ head │ message │ zeros │ head │ message │
 *     0                        a multiple of 16                      length
 *
 * The bundle leaves when the next message does not fit, is not small, or cannot be had (no credit, no
 * buffer: nothing more would come), when its deadline passes, by tutti_stream_flush(), and before BYE. In an
 * eager context, as in Nagle's algorithm (RFC 896), a message waits only while others are in flight: the
 * bundle leaves, too, when libfabric is through with them. Those of a burst still share, and a lone one is
 * not late. */
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "streams/stream_kick.h"
#include "streams/stream_threads.h"

/* Longer ones gain little from company, and would be copied. */
static bool is_small(const tutti_stream *stream, uint32_t bytes)
{
    return stream->context->options.coalesce_ms > 0 && bytes <= stream->room / 4;
}

static bool waits(const tutti_stream *stream)
{
    return !stream->context->eager || stream->in_flight > 0;
}

static bool fits(const tutti_stream *stream, uint32_t bytes)
{
    const size_t whole = tti_frame_fill(stream->bundle->length) + TTI_FRAME_HEAD + bytes;
    return whole <= TTI_FRAME_HEAD + stream->room;
}

static void begin(tutti_stream *stream, tti_stream_slot *slot)
{
    tutti_stream_context *context = stream->context;
    const int64_t wait = context->options.coalesce_ms * TTI_NS_PER_MS;
    slot->use = TTI_SLOT_QUEUED;
    stream->bundle = slot;
    stream->bundle_deadline = tti_clock_later(tti_clock_ns(), wait);
    tti_list_append(&context->bundled, &stream->bundled); /* all wait equally long: the list is in order */
    tti_stream_wake(context);
}

static void give_back(tutti_stream_context *context, tti_stream_slot *slot)
{
    tti_stream_pool_give(&context->send, slot);
    if (!tti_list_empty(&context->waiting)) tti_stream_kick(context);
}

static void join(tutti_stream *stream, tti_stream_slot *slot)
{
    tti_stream_slot *bundle = stream->bundle;
    const uint32_t at = (uint32_t)tti_frame_fill(bundle->length);
    const tti_frame frame = {.token = stream->peer_token, .kind = TTI_FRAME_MESSAGE, .bytes = slot->bytes};
    memset(bundle->memory + bundle->length, 0, at - bundle->length);
    tti_frame_write(&frame, bundle->memory + at);
    memcpy(bundle->memory + at + TTI_FRAME_HEAD, slot->memory + TTI_FRAME_HEAD, slot->bytes);
    bundle->length = at + slot->length;
    give_back(stream->context, slot);
}

void tti_stream_send_message(tutti_stream *stream, tti_stream_slot *slot, uint32_t bytes)
{
    slot->bytes = bytes;
    slot->length = TTI_FRAME_HEAD + bytes;
    const bool small = is_small(stream, bytes);
    if (stream->bundle != NULL && (!small || !fits(stream, bytes))) tti_stream_send_bundle(stream);
    if (stream->phase == TTI_STREAM_ENDED)
        give_back(stream->context, slot); /* sending the bundle found it broken */
    else if (stream->bundle != NULL)
        join(stream, slot);
    else if (small && waits(stream))
        begin(stream, slot);
    else
        tti_stream_queue(stream, slot, TTI_FRAME_MESSAGE);
}

void tti_stream_send_bundle(tutti_stream *stream)
{
    tti_stream_slot *bundle = stream->bundle;
    if (bundle == NULL) return;
    stream->bundle = NULL;
    tti_list_remove(&stream->bundled);
    tti_stream_queue(stream, bundle, TTI_FRAME_MESSAGE);
}

void tti_stream_send_bundles(tutti_stream_context *context, int64_t now)
{
    while (!tti_list_empty(&context->bundled)) {
        tutti_stream *stream = TTI_OWNER(context->bundled.next, tutti_stream, bundled);
        if (stream->bundle_deadline > now) return;
        tti_stream_send_bundle(stream);
    }
}

int tutti_stream_flush(tutti_stream *stream)
{
    const int code = tti_stream_begin(stream, "tutti_stream_flush");
    if (code < 0) return code;
    tti_stream_send_bundle(stream);
    return tti_stream_leave(stream->context, 0);
}
