/* SPDX-License-Identifier: BSD-3-Clause */
/* What arrives. There are always as many buffers, posted or free to be, as operations may be under way: a
 * peer may send what it has credits for. Each message of an operation takes one; the last of them goes back
 * only when the buffer is posted again, or free, so that no more buffers are occupied than there are credits
 * out.
 *
 * libfabric fills buffers in the order in which they were posted. With all posted, each would be filled when
 * it has not been touched for longest; so where that is possible few are, and those the ones used last, which
 * are in a core's cache: a TCP connection fills one after the other, and what finds none posted stays in the
 * kernel's for a moment. One for each connection, then, so that none waits for another that has begun a
 * message and does not go on. */
#include <rdma/fi_errno.h>
#include <string.h>

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "streams/stream_handshake.h"
#include "streams/stream_stray.h"
#include "streams/stream_threads.h"

#define CACHED ((size_t)256 << 10) /* bytes of buffers that may be posted whatever the number of streams */

/* How many of the shared receive context's buffers to have posted at a time. */
static int posted_most(const tutti_stream_context *context)
{
    if (context->info->ep_attr->protocol != FI_PROTO_SOCK_TCP) return INT32_MAX;
    const int cached = (int)(CACHED / context->receive.stride);
    return cached > context->live ? cached : context->live;
}

/* Posts those of the free ones that were used last. */
static void post_shared(tutti_stream_context *context)
{
    while (context->posted < posted_most(context) && !tti_list_empty(&context->receive.free)) {
        tti_stream_slot *slot = tti_stream_pool_take(&context->receive);
        const ssize_t result = fi_recv(context->shared, slot->memory, context->receive.stride,
                                       slot->descriptor, FI_ADDR_UNSPEC, slot);
        if (result != 0) {
            tti_stream_pool_give(&context->receive, slot);
            if (result != -FI_EAGAIN)
                tti_log(TTI_LOG_WARN, "posting a receive: %s", context->library->strerror((int)-result));
            return; /* tti_stream_retry_posts() tries again */
        }
        slot->use = TTI_SLOT_POSTED;
        context->posted++;
    }
}

/* Where a slot is to be posted; NULL if its endpoint is gone. */
static struct fid_ep *home(const tti_stream_slot *slot)
{
    return slot->stream != NULL && !slot->stream->closed_endpoint ? slot->stream->endpoint : NULL;
}

void tti_stream_give_credits(tutti_stream *creditor, uint32_t count)
{
    if (creditor == NULL) return;
    creditor->owed += count;
    tti_stream_grant(creditor);
}

static void repost_shared(tutti_stream_context *context, tti_stream_slot *slot)
{
    tutti_stream *creditor = slot->creditor;
    const uint32_t taken = slot->taken;
    tti_stream_pool_give(&context->receive, slot);
    post_shared(context);
    tti_stream_give_credits(creditor, taken);
}

void tti_stream_repost(tutti_stream_context *context, tti_stream_slot *slot)
{
    if (context->shared != NULL) {
        repost_shared(context, slot);
        return;
    }
    struct fid_ep *endpoint = home(slot);
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
    tti_stream_give_credits(slot->creditor, slot->taken);
    slot->creditor = NULL;
    slot->taken = 0;
}

void tti_stream_retry_posts(tutti_stream_context *context)
{
    if (context->shared != NULL) post_shared(context);
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

/* Posts `count` that are an endpoint's own. */
static void post_more(tutti_stream_context *context, int count, tutti_stream *stream)
{
    for (int i = 0; i < count; i++) {
        tti_stream_slot *slot = tti_stream_pool_take(&context->receive);
        slot->stream = stream;
        tti_stream_repost(context, slot);
    }
}

/* Slots to be put into use so that `live` streams have theirs. Shared, slots that are in use stay so when a
 * stream ends, and serve the next; else the newest stream takes its own of the free ones. */
static int lacking(const tutti_stream_context *context, int live)
{
    const int each = TTI_STREAM_SLOTS(context);
    const tti_stream_pool *pool = &context->receive;
    if (context->shared != NULL) return live * each + context->held_orphan - pool->active;
    int count = each;
    for (const tti_link *at = pool->free.next; at != &pool->free && count > 0; at = at->next)
        count--;
    return count;
}

int tti_stream_check_receives(const tutti_stream_context *context, const char *who)
{
    const tti_stream_pool *pool = &context->receive;
    if (lacking(context, context->live + 1) <= pool->count - pool->active) return 0;
    return tti_fail(TUTTI_ERR_LIMIT,
                    "%s is turned away: too many of the %d buffers hold messages of streams that are gone: "
                    "release some",
                    who, pool->count);
}

int tti_stream_ready_receives(tutti_stream *stream)
{
    tutti_stream_context *context = stream->context;
    const int count = lacking(context, context->live);
    const int code = count > 0 ? tti_stream_pool_activate(context, &context->receive, count) : 0;
    if (code < 0) return code;
    if (context->shared == NULL)
        post_more(context, TTI_STREAM_SLOTS(context), stream);
    else
        post_shared(context);
    return 0;
}

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

/* A frame may overtake the word that its connection has come about, which is in the other queue. */
static bool is_heard(tutti_stream *stream)
{
    if (stream->phase == TTI_STREAM_ACCEPTING) tti_stream_connected(stream);
    if (stream->phase == TTI_STREAM_CONNECTING)
        tti_stream_out_of_step(stream, "it sends before it is connected");
    return !stream->deaf && !stream->bye_arrived;
}

static void take_frame(tutti_stream *stream, tti_stream_slot *slot, const tti_frame *frame, uint8_t *head)
{
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

/* All of it is handed out, and some is held: that takes a credit each, the rest none any more. */
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
