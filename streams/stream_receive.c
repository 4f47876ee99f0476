/* SPDX-License-Identifier: BSD-3-Clause */
/* Handing out what has arrived, frame by frame. */
#include "streams/stream_handshake.h"
#include "streams/stream_stray.h"
#include "streams/stream_threads.h"

#define DRAINS_MOST 1024 /* of the event queue, where frames come before their connection */

static tutti_stream *find_stream(const tutti_stream_context *context, uint64_t token)
{
    const int place = (int)(token & 0xffff);
    tutti_stream *stream = place < context->options.max_streams ? context->by_index[place] : NULL;
    return stream != NULL && stream->token == token ? stream : NULL;
}

static void deliver(tutti_stream *stream, tti_stream_slot *slot, void *data, size_t bytes)
{
    tutti_stream_context *context = stream->context;
    if (stream->granted == 0 || bytes > context->options.buffer_bytes) {
        tti_stream_out_of_step(stream, "it sends what there are no credits for");
        return;
    }
    stream->granted--;
    slot->taken++;
    context->handed++;
    context->handing = data;
    if (stream->callbacks.on_message != NULL) {
        tti_stream_step_out(context);
        stream->callbacks.on_message(stream, data, bytes, stream->callbacks.user);
        tti_stream_step_in(context);
    }
    context->handing = NULL;
}

static void said_bye(tutti_stream *stream)
{
    stream->bye_arrived = true;
    tti_stream_say_bye(stream);
    tti_stream_finish(stream);
}

static bool is_heard(tutti_stream *stream)
{
    if (stream->phase == TTI_STREAM_ACCEPTING) tti_stream_connected(stream);
    if (stream->phase == TTI_STREAM_CONNECTING)
        tti_stream_out_of_step(stream, "it sends before it is connected");
    return !stream->deaf && !stream->bye_arrived;
}

/* A frame may overtake the word that its connection has come about, which is in the other queue, maybe behind
 * many others. */
static void catch_up(const tutti_stream *stream)
{
    for (int i = 0; i < DRAINS_MOST && stream->phase == TTI_STREAM_CONNECTING; i++) {
        if (tti_stream_drain_events(stream->context) <= 0) return;
    }
}

static void take_frame(tutti_stream *stream, tti_stream_slot *slot, const tti_frame *frame, uint8_t *head)
{
    catch_up(stream);
    if (tti_stream_take_proof(stream, frame, head + TTI_FRAME_HEAD) || !is_heard(stream)) return;
    if (frame->credits > stream->credits_most - stream->credits) {
        tti_stream_out_of_step(stream, "it gives more credits than it has");
        return;
    }
    stream->credits += frame->credits;
    if (frame->kind == TTI_FRAME_MESSAGE)
        deliver(stream, slot, head + TTI_FRAME_HEAD, frame->bytes);
    else if (frame->kind == TTI_FRAME_BYE)
        said_bye(stream);
}

void tti_stream_taken(tutti_stream_context *context, tti_stream_slot *slot)
{
    if (context->shared != NULL) context->posted--;
    slot->taken = 0;
}

void tti_stream_arrived(tutti_stream_context *context, tti_stream_slot *slot, size_t bytes)
{
    tti_stream_taken(context, slot);
    slot->use = TTI_SLOT_HANDED;
    slot->length = (uint32_t)bytes;
    slot->at = slot->holds = 0;
    slot->seen = context->seen;
    tti_list_append(&context->arrived, &slot->link);
}

/* The slot's next frame. All frames of an operation are of the stream that the first is of: its creditor. */
static void take_next(tutti_stream_context *context, tti_stream_slot *slot)
{
    uint8_t *head = slot->memory + slot->at;
    const size_t left = slot->length - slot->at;
    tti_frame frame;
    const size_t length = tti_frame_read(&frame, head, left);
    tutti_stream *stream = length > 0 ? find_stream(context, frame.token) : NULL;
    tutti_stream *wanted = slot->creditor != NULL ? slot->creditor : slot->stream;
    if (stream == NULL || (wanted != NULL && wanted != stream)) {
        if (wanted != NULL) tti_stream_out_of_step(wanted, "it sends what is no frame");
        slot->at = slot->length;
        if (wanted == NULL) tti_stream_stray(context, left);
        return;
    }
    if (slot->at == 0) tti_stream_heard(stream, slot->length);
    slot->creditor = stream;
    slot->at += (uint32_t)length;
    take_frame(stream, slot, &frame, head);
}

/* All of it is handed out, and some is held: that takes a credit each, the rest none any more. Where there is
 * no rest, too, the peer may have none left now, and wait for those that are owed. */
static void keep(tti_stream_slot *slot)
{
    const uint32_t through = slot->taken - slot->holds;
    slot->taken = slot->holds;
    tti_stream_give_credits(slot->creditor, through);
}

bool tti_stream_hand_out(tutti_stream_context *context, int budget)
{
    bool any = false;
    while (!tti_list_empty(&context->arrived) && (budget == 0 || context->handed < budget)) {
        tti_stream_slot *slot = TTI_OWNER(context->arrived.next, tti_stream_slot, link);
        any = true;
        take_next(context, slot);
        if (slot->at < slot->length) continue;
        tti_list_remove(&slot->link);
        slot->use = slot->holds > 0 ? TTI_SLOT_HELD : TTI_SLOT_FREE;
        if (slot->holds > 0)
            keep(slot);
        else
            tti_stream_repost(context, slot);
    }
    return any;
}
