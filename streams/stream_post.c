/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers for what arrives. There are always as many, posted or free to be, as operations may be under way: a
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

#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "streams/stream_state.h"

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
