/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames on their way out. A stream's leave in the order in which they were queued; what libfabric has no
 * room for waits in stream->pending. */
#include <rdma/fi_errno.h>

#include "streams/stream_state.h"

/* Credits go back beside messages, or, where there are none, in a frame of their own once they are worth it:
 * half of them, or any where the peer has none left, since it may never get half while messages are held. At
 * most two such frames lie unread at the peer (TTI_STREAM_RESERVE): two halves are all credits, and a peer
 * that has none left has read what gave it the last. */
static bool worth_a_frame(const tutti_stream *stream)
{
    return stream->owed >= (uint32_t)(stream->context->options.credits + 1) / 2 ||
           (stream->owed > 0 && stream->granted == 0);
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
