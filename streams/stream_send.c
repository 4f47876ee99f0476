/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending for the program: buffers that it is lent, and waiting for room. */
#include "runtime/base/status.h"
#include "streams/stream_kick.h"
#include "streams/stream_threads.h"

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
    const int code = tti_stream_begin(stream, "tutti_stream_send_buffer");
    return code < 0 ? code : tti_stream_leave(stream->context, send_lent(stream, data, bytes));
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
    const int code = tti_stream_begin(stream, "tutti_stream_return_buffer");
    return code < 0 ? code : tti_stream_leave(stream->context, return_lent(stream, data));
}
