/* SPDX-License-Identifier: BSD-3-Clause */
/* The reaper: what becomes of a stream that has ended. It goes in two steps, between which the completion
 * queue is read to its end, or, where it never ends, beyond all that there may have been: once its endpoint
 * is closed, libfabric reports what was under way, and then never names its slots again. */
#include <rdma/fi_cm.h>
#include <stdlib.h>

#include "streams/stream_event.h"
#include "streams/stream_threads.h"

static void close_endpoint(tutti_stream *stream)
{
    stream->closed_endpoint = true;
    stream->mark = tti_stream_mark(stream->context);
    if (stream->endpoint == NULL) return;
    tti_stream_event event; /* another endpoint may get its address */
    while (tti_stream_take_kept_event(stream->context, &stream->endpoint->fid, &event))
        continue;
    /* Passes on what the provider still has: the last frame, or a denial. */
    if (stream->code == 0 || stream->denied) fi_shutdown(stream->endpoint, 0);
    fi_close(&stream->endpoint->fid);
}

/* What another stream may have from now on: on_closed may connect anew. Buffers that the program was lent end
 * with on_closed alone. */
static void make_room(tutti_stream *stream)
{
    tutti_stream_context *context = stream->context;
    for (int i = 0; i < context->receive.active; i++) {
        tti_stream_slot *slot = &context->receive.slots[i];
        if (slot->creditor == stream && slot->use == TTI_SLOT_HELD) context->held_orphan++;
        if (slot->creditor == stream) slot->creditor = NULL;
        if (slot->stream != stream) continue;
        slot->stream = NULL;
        if (slot->use != TTI_SLOT_HELD) tti_stream_pool_give(&context->receive, slot);
    }
    stream->credit_slot->bytes = 0; /* a proof may be in it */
    stream->credit_slot->length = TTI_FRAME_HEAD;
    tti_stream_pool_give(&context->control, stream->credit_slot);
    tti_stream_pool_give(&context->control, stream->bye_slot);
    context->by_index[stream->token & 0xffff] = NULL;
    context->live--;
}

static void reclaim_sends(tutti_stream_context *context, const tutti_stream *stream)
{
    for (int i = 0; i < context->send.count; i++) {
        if (context->send.slots[i].stream == stream)
            tti_stream_pool_give(&context->send, &context->send.slots[i]);
    }
}

/* The last word: of a stream that the program knows to its on_closed, of one that did not come about to its
 * listener's on_refused, unless the program itself ended that. */
static void tell_end(tutti_stream *stream)
{
    if (!stream->told && stream->arrived && stream->code != TUTTI_ERR_CANCELLED)
        tti_stream_tell_refused(stream->context, &stream->callbacks, stream->code, stream->why);
    if (!stream->told || stream->callbacks.on_closed == NULL) return;
    tti_stream_step_out(stream->context);
    stream->callbacks.on_closed(stream, stream->code, stream->why, stream->callbacks.user);
    tti_stream_step_in(stream->context);
}

static void bury(tutti_stream *stream)
{
    tutti_stream_context *context = stream->context;
    tti_stream_return_keys(stream);
    make_room(stream);
    tell_end(stream);
    reclaim_sends(context, stream);
    tti_link *const lists[] = {&stream->link, &stream->timed, &stream->waiting, &stream->bundled,
                               &stream->alike};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        tti_list_remove(lists[i]);
    free(stream);
}

bool tti_stream_reap(tutti_stream_context *context, bool anyway)
{
    const tti_link *last = context->ended.prev; /* those that end meanwhile are for the next time */
    bool any = false;
    for (tti_link *at = context->ended.next, *next; at != &context->ended; at = next) {
        tutti_stream *stream = TTI_OWNER(at, tutti_stream, link);
        const bool is_last = at == last;
        next = at->next;
        if (!stream->closed_endpoint) {
            close_endpoint(stream);
            any = true;
        } else if (anyway || tti_stream_is_past(context, stream->mark)) {
            bury(stream);
            any = true;
        }
        if (is_last) break;
    }
    return any;
}
