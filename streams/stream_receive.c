/* SPDX-License-Identifier: BSD-3-Clause */
/* What arrives. There are always as many receives posted as frames may be under way: a peer may send what it
 * has credits for, and gets a credit back only when the buffer is posted again. */
#include <rdma/fi_errno.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "streams/stream_state.h"

/* Where a slot is to be posted; NULL if its endpoint is gone. */
static struct fid_ep *home(const tutti_stream_context *context, const tti_stream_slot *slot)
{
    if (context->shared != NULL) return context->shared;
    return slot->stream != NULL && !slot->stream->closed_endpoint ? slot->stream->endpoint : NULL;
}

void tti_stream_repost(tutti_stream_context *context, tti_stream_slot *slot)
{
    struct fid_ep *endpoint = home(context, slot);
    if (endpoint == NULL) {
        tti_stream_pool_give(&context->receive, slot);
        return;
    }
    const ssize_t result =
        fi_recv(endpoint, slot->memory, context->receive.stride, slot->descriptor, FI_ADDR_UNSPEC, slot);
    if (result != 0) {
        if (result != -FI_EAGAIN)
            tti_log(TTI_LOG_WARN, "posting a receive: %s", context->library->strerror((int)-result));
        slot->use = TTI_SLOT_FREE;
        tti_list_append(&context->unposted, &slot->link);
        return;
    }
    slot->use = TTI_SLOT_POSTED;
    tutti_stream *creditor = slot->creditor;
    slot->creditor = NULL;
    if (creditor == NULL) return;
    creditor->owed++;
    tti_stream_grant(creditor);
}

void tti_stream_retry_posts(tutti_stream_context *context)
{
    tti_link again = context->unposted;
    if (tti_list_empty(&context->unposted)) return;
    again.next->prev = again.prev->next = &again;
    tti_list_init(&context->unposted);
    while (!tti_list_empty(&again)) {
        tti_stream_slot *slot = TTI_OWNER(again.next, tti_stream_slot, link);
        tti_list_remove(&slot->link);
        tti_stream_repost(context, slot);
    }
}

/* Posts `count` more; those of one endpoint are its own. */
static void post_more(tutti_stream_context *context, int count, tutti_stream *stream)
{
    for (int i = 0; i < count; i++) {
        tti_stream_slot *slot = tti_stream_pool_take(&context->receive);
        slot->stream = stream;
        tti_stream_repost(context, slot);
    }
}

/* Shared, slots that are in use stay so when a stream ends, and serve the next. */
int tti_stream_ready_receives(tutti_stream *stream)
{
    tutti_stream_context *context = stream->context;
    tti_stream_pool *pool = &context->receive;
    const int each = TTI_STREAM_SLOTS(context);
    int lacking = context->live * each + context->held_orphan - pool->active;
    if (context->shared == NULL) {
        lacking = each;
        for (const tti_link *at = pool->free.next; at != &pool->free && lacking > 0; at = at->next)
            lacking--;
    }
    const int code = lacking > 0 ? tti_stream_pool_activate(context, pool, lacking) : 0;
    if (code < 0) return code;
    if (context->shared == NULL)
        post_more(context, each, stream);
    else if (lacking > 0)
        post_more(context, lacking, NULL);
    return 0;
}

static tutti_stream *find_stream(const tutti_stream_context *context, uint64_t token)
{
    const int place = (int)(token & 0xffff);
    tutti_stream *stream = place < context->options.max_streams ? context->by_index[place] : NULL;
    return stream != NULL && stream->token == token ? stream : NULL;
}

static void out_of_step(tutti_stream *stream, const char *what)
{
    tti_stream_end(stream, TUTTI_ERR_FABRIC, "%s is out of step: %s", stream->peer, what);
}

static void deliver(tutti_stream *stream, tti_stream_slot *slot, size_t bytes)
{
    if (stream->granted == 0 || bytes > stream->context->options.buffer_bytes) {
        out_of_step(stream, "it sends what there are no credits for");
        return;
    }
    stream->granted--;
    slot->use = TTI_SLOT_HANDED;
    slot->creditor = stream;
    stream->context->handed++;
    if (stream->callbacks.on_message != NULL)
        stream->callbacks.on_message(stream, slot->memory + TTI_FRAME_HEAD, bytes, stream->callbacks.user);
}

static void said_bye(tutti_stream *stream)
{
    stream->bye_arrived = true;
    tti_stream_say_bye(stream);
    tti_stream_finish(stream);
}

/* A frame may overtake the word that its connection has come about, which is in the other queue. */
static bool is_heard(tutti_stream *stream)
{
    if (stream->phase == TTI_STREAM_CONNECTING) tti_stream_drain_events(stream->context);
    if (stream->phase == TTI_STREAM_ACCEPTING) tti_stream_opened(stream);
    if (stream->phase == TTI_STREAM_CONNECTING) out_of_step(stream, "it sends before it is connected");
    return !stream->deaf && !stream->bye_arrived;
}

static void take_frame(tutti_stream *stream, tti_stream_slot *slot, const tti_frame *frame)
{
    if (!is_heard(stream)) return;
    if (frame->credits > stream->credits_most - stream->credits) {
        out_of_step(stream, "it gives more credits than it has");
        return;
    }
    stream->credits += frame->credits;
    if (frame->kind == TTI_FRAME_MESSAGE)
        deliver(stream, slot, frame->bytes);
    else if (frame->kind == TTI_FRAME_BYE)
        said_bye(stream);
}

void tti_stream_arrived(tutti_stream_context *context, tti_stream_slot *slot, size_t bytes)
{
    tti_frame frame;
    const bool sound = tti_frame_read(&frame, slot->memory, bytes);
    tutti_stream *stream = sound ? find_stream(context, frame.token) : NULL;
    slot->use = TTI_SLOT_FREE;
    if (stream == NULL || (slot->stream != NULL && slot->stream != stream)) {
        if (slot->stream != NULL) out_of_step(slot->stream, "it sends what is no frame");
        tti_log(TTI_LOG_WARN, "a frame of %zu bytes that is of no stream is dropped", bytes);
    } else {
        take_frame(stream, slot, &frame);
    }
    if (slot->use != TTI_SLOT_HELD) tti_stream_repost(context, slot);
}

int tutti_stream_hold(tutti_stream *stream, const void *data)
{
    tti_stream_slot *slot = stream != NULL ? tti_stream_pool_find(&stream->context->receive, data) : NULL;
    if (slot == NULL || slot->use != TTI_SLOT_HANDED || slot->creditor != stream)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_hold: %p is not the message of a running on_message",
                        data);
    slot->use = TTI_SLOT_HELD;
    return 0;
}

int tutti_stream_release(tutti_stream_context *context, const void *data)
{
    tti_stream_slot *slot = context != NULL ? tti_stream_pool_find(&context->receive, data) : NULL;
    if (slot == NULL || slot->use != TTI_SLOT_HELD)
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_release: %p is not held", data);
    if (slot->creditor == NULL) context->held_orphan--;
    tti_stream_repost(context, slot);
    return 0;
}
