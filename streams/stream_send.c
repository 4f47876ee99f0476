/* SPDX-License-Identifier: BSD-3-Clause */
/* What leaves: lent buffers, credits, the last frame. A stream's frames leave in the order in which they were
 * queued; what libfabric has no room for waits in stream->pending. */
#include <rdma/fi_errno.h>

#include "runtime/base/status.h"
#include "streams/stream_handshake.h"
#include "streams/stream_kick.h"
#include "streams/stream_threads.h"

/* Credits go back beside messages, or, where there are none, in a frame of their own once they are worth it:
 * then a peer that does not look has at most two of those lying here (TTI_STREAM_RESERVE). */
static bool worth_a_frame(const tutti_stream *stream)
{
    return stream->owed >= (uint32_t)(stream->context->options.credits + 1) / 2;
}

static bool is_connected(const tutti_stream *stream)
{
    return stream->phase >= TTI_STREAM_PROVING && stream->phase <= TTI_STREAM_CLOSING;
}

static int post(tutti_stream *stream, tti_stream_slot *slot)
{
    const tti_frame frame = {.token = stream->peer_token,
                             .kind = slot->kind,
                             .credits = (uint16_t)stream->owed,
                             .bytes = slot->bytes};
    tti_frame_write(&frame, slot->memory);
    tti_stream_gather *gather = slot->gather;
    const ssize_t result = gather != NULL ? fi_sendv(stream->endpoint, gather->parts, gather->descriptors,
                                                     (size_t)gather->count, FI_ADDR_UNSPEC, slot)
                                          : fi_send(stream->endpoint, slot->memory, slot->length,
                                                    slot->descriptor, FI_ADDR_UNSPEC, slot);
    if (result != 0) return (int)result;
    slot->use = TTI_SLOT_POSTED;
    stream->granted += stream->owed;
    stream->owed = 0;
    return 0;
}

void tti_stream_flush(tutti_stream *stream)
{
    while (is_connected(stream) && !tti_list_empty(&stream->pending)) {
        tti_stream_slot *slot = TTI_OWNER(stream->pending.next, tti_stream_slot, link);
        if (slot->kind == TTI_FRAME_CREDIT && !worth_a_frame(stream)) {
            tti_list_remove(&slot->link); /* a message has taken them along */
            slot->use = TTI_SLOT_FREE;
            continue;
        }
        const int result = post(stream, slot);
        if (result == -FI_EAGAIN) return;
        if (result != 0) {
            tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "sending to %s: %s", stream->peer,
                           stream->context->library->strerror(-result));
            return;
        }
        tti_list_remove(&slot->link);
    }
}

void tti_stream_queue(tutti_stream *stream, tti_stream_slot *slot, uint8_t kind)
{
    slot->stream = stream;
    slot->use = TTI_SLOT_QUEUED;
    slot->kind = kind;
    stream->in_flight += kind == TTI_FRAME_MESSAGE;
    tti_list_append(&stream->pending, &slot->link);
    tti_stream_flush(stream);
}

void tti_stream_grant(tutti_stream *stream)
{
    if (!is_connected(stream) || stream->bye_queued || !worth_a_frame(stream)) return;
    if (stream->credit_slot->use == TTI_SLOT_FREE)
        tti_stream_queue(stream, stream->credit_slot, TTI_FRAME_CREDIT);
}

/* libfabric is through with a frame. */
void tti_stream_left(tti_stream_slot *slot)
{
    tutti_stream *stream = slot->stream;
    if (slot == stream->credit_slot) {
        slot->use = TTI_SLOT_FREE;
        tti_stream_said(stream, slot->kind);
        tti_stream_grant(stream);
    } else if (slot == stream->bye_slot) {
        slot->use = TTI_SLOT_FREE;
        stream->bye_left = true;
        tti_stream_finish(stream);
    } else {
        stream->in_flight--;
        if (slot->gather != NULL)
            tti_stream_return_key(slot);
        else
            tti_stream_pool_give(&stream->context->send, slot);
    }
    tti_stream_flush(stream);
    if (stream->context->eager && stream->in_flight == 0) tti_stream_send_bundle(stream);
}

static bool has_room(const tutti_stream *stream)
{
    const tutti_stream_context *context = stream->context;
    if (stream->credits == 0) return false;
    return ((stream->wants & TTI_STREAM_WANTS_BUFFER) != 0 && !tti_list_empty(&context->send.free)) ||
           ((stream->wants & TTI_STREAM_WANTS_HEADER) != 0 && !tti_list_empty(&context->headers.free));
}

void tti_stream_tell_ready(tutti_stream_context *context)
{
    tti_link *at = context->waiting.next;
    while (at != &context->waiting) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, waiting);
        at = at->next;
        if (!has_room(stream)) continue;
        tti_list_remove(&stream->waiting);
        stream->wants = 0;
        if (stream->callbacks.on_ready != NULL) {
            tti_stream_step_out(context);
            stream->callbacks.on_ready(stream, stream->callbacks.user);
            tti_stream_step_in(context);
        }
        at = context->waiting.next; /* the callback may have changed the list */
    }
}

int tti_stream_refuse_to_send(const tutti_stream *stream)
{
    static const char *const states[] = {"is not open yet", "is not open yet", "is not open yet",
                                         "is open",         "is closing",      "has ended"};
    return tti_fail(TUTTI_ERR_STATE, "the stream to %s %s", stream->peer, states[stream->phase]);
}

/* Messages that wait for others would only hold up what this one waits for. */
int tti_stream_wait_for_room(tutti_stream *stream, unsigned wants)
{
    tutti_stream_context *context = stream->context;
    stream->wants |= wants;
    if (tti_list_empty(&stream->waiting)) tti_list_append(&context->waiting, &stream->waiting);
    if (stream->credits == 0)
        tti_stream_send_bundle(stream);
    else if (wants == TTI_STREAM_WANTS_BUFFER)
        tti_stream_send_bundles(context, INT64_MAX);
    return TUTTI_ERR_AGAIN;
}

static int lend(tutti_stream *stream, void **data, size_t *room)
{
    if (stream->phase != TTI_STREAM_OPEN) return tti_stream_refuse_to_send(stream);
    tutti_stream_context *context = stream->context;
    tti_stream_slot *slot = stream->credits > 0 ? tti_stream_pool_take(&context->send) : NULL;
    if (slot == NULL) return tti_stream_wait_for_room(stream, TTI_STREAM_WANTS_BUFFER);
    stream->credits--;
    slot->use = TTI_SLOT_LENT;
    slot->stream = stream;
    *data = slot->memory + TTI_FRAME_HEAD;
    *room = stream->room;
    return 0;
}

int tutti_stream_get_buffer(tutti_stream *stream, void **data, size_t *room)
{
    if (stream == NULL || data == NULL || room == NULL)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_get_buffer: no argument may be NULL");
    const tutti_stream_context *context = stream->context;
    const int code = tti_stream_enter(context, "tutti_stream_get_buffer");
    return code < 0 ? code : tti_stream_leave(context, lend(stream, data, room));
}

static tti_stream_slot *find_lent(tutti_stream *stream, const void *data)
{
    tti_stream_slot *slot = tti_stream_pool_find(&stream->context->send, data);
    if (slot == NULL || slot->memory + TTI_FRAME_HEAD != (const uint8_t *)data) return NULL;
    return slot->use == TTI_SLOT_LENT && slot->stream == stream ? slot : NULL;
}

static void take_back(tutti_stream *stream, tti_stream_slot *slot)
{
    stream->credits++;
    tti_stream_pool_give(&stream->context->send, slot);
    if (!tti_list_empty(&stream->context->waiting)) tti_stream_kick(stream->context);
}

static int send_lent(tutti_stream *stream, void *data, size_t bytes)
{
    tti_stream_slot *slot = find_lent(stream, data);
    if (slot == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_send_buffer: %p is not lent", data);
    if (bytes > stream->room)
        return tti_fail(TUTTI_ERR_ARG, "a message of %zu bytes to %s; there is room for %zu", bytes,
                        stream->peer, stream->room);
    if (stream->phase != TTI_STREAM_OPEN) {
        take_back(stream, slot);
        return tti_stream_refuse_to_send(stream);
    }
    tti_stream_send_message(stream, slot, (uint32_t)bytes);
    return 0;
}

int tutti_stream_send_buffer(tutti_stream *stream, void *data, size_t bytes)
{
    if (stream == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_send_buffer: there is no stream");
    const tutti_stream_context *context = stream->context;
    const int code = tti_stream_enter(context, "tutti_stream_send_buffer");
    return code < 0 ? code : tti_stream_leave(context, send_lent(stream, data, bytes));
}

static int return_lent(tutti_stream *stream, void *data)
{
    tti_stream_slot *slot = find_lent(stream, data);
    if (slot == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_return_buffer: %p is not lent", data);
    take_back(stream, slot);
    return 0;
}

int tutti_stream_return_buffer(tutti_stream *stream, void *data)
{
    if (stream == NULL) return tti_fail(TUTTI_ERR_ARG, "tutti_stream_return_buffer: there is no stream");
    const tutti_stream_context *context = stream->context;
    const int code = tti_stream_enter(context, "tutti_stream_return_buffer");
    return code < 0 ? code : tti_stream_leave(context, return_lent(stream, data));
}
