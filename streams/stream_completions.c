/* SPDX-License-Identifier: BSD-3-Clause */
#include "streams/stream_completions.h"

#include <rdma/fi_errno.h>

#include "streams/stream_handshake.h"

#define BATCH 16
#define WORK_MOST 1024 /* entries of queues, then likewise: who never stops sending does not keep it */

/* libfabric is through with a frame. */
static void left(tti_stream_slot *slot)
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

static void fail_slot(tutti_stream_context *context, tti_stream_slot *slot,
                      const struct fi_cq_err_entry *entry)
{
    if (slot->receives) {
        if (slot->stream != NULL && entry->err != FI_ECANCELED)
            tti_stream_end(slot->stream, TUTTI_ERR_PEER_FAILED, "receiving from %s: %s", slot->stream->peer,
                           context->library->strerror(entry->err));
        tti_stream_taken(context, slot);
        tti_stream_repost(context, slot);
        return;
    }
    tutti_stream *stream = slot->stream;
    tti_stream_end(stream, TUTTI_ERR_PEER_FAILED, "%s went while this side was sending to it: %s",
                   stream->peer, context->library->strerror(entry->err));
    left(slot);
}

static int read_error(tutti_stream_context *context)
{
    struct fi_cq_err_entry entry = {0};
    if (fi_cq_readerr(context->completions, &entry, 0) != 1) return 0;
    if (entry.op_context != NULL) fail_slot(context, entry.op_context, &entry);
    return 1;
}

int tti_stream_read_completions(tutti_stream_context *context)
{
    struct fi_cq_msg_entry entries[BATCH];
    const ssize_t count = fi_cq_read(context->completions, entries, BATCH);
    if (count == -FI_EAGAIN) return 0;
    if (count == -FI_EAVAIL) return read_error(context);
    if (count < 0) return tti_stream_refuse(context, (int)count, "fi_cq_read", "streams");
    context->work += (int)count;
    for (ssize_t i = 0; i < count; i++) {
        tti_stream_slot *slot = entries[i].op_context;
        context->seen++;
        if (slot->receives)
            tti_stream_arrived(context, slot, entries[i].len);
        else
            left(slot);
    }
    return (int)count;
}

bool tti_stream_is_spent(const tutti_stream_context *context, int budget)
{
    return context->work >= WORK_MOST || (budget > 0 && context->handed >= budget);
}

int tti_stream_drain_completions(tutti_stream_context *context, int budget)
{
    for (int any = 0;; any = 1) {
        any |= tti_stream_hand_out(context, budget);
        if (tti_stream_is_spent(context, budget)) return any;
        const int count = tti_stream_read_completions(context);
        if (count < 0) return count;
        if (count > 0) continue;
        context->seen += context->queue_room;
        return any;
    }
}
