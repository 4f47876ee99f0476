/* SPDX-License-Identifier: BSD-3-Clause */
/* Sending in place: one operation that gathers a header slot, which is ours, and pieces of regions, which are
 * the user's until it is done.
 *
 *     header slot          regions of the user's
 *     │ head │ header │    │ piece │    │ piece │     one MESSAGE frame
 *
 * A slot in use owes the user its key, and gives it back in one place: when libfabric is through with
 * the operation, or, whatever that did not report, when the stream is buried. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "streams/stream_threads.h"

int tti_stream_gathers_open(tutti_stream_context *context)
{
    const int count = context->options.zero_copy_sends;
    int code = tti_stream_pool_open(&context->headers, count, TTI_STREAM_HEADER_MOST, false);
    if (code < 0) return code;
    context->gathers = calloc((size_t)count, sizeof(tti_stream_gather));
    if (context->gathers == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for %d zero-copy sends", count);
    for (int i = 0; i < count; i++)
        context->headers.slots[i].gather = &context->gathers[i];
    return 0;
}

void tti_stream_return_key(tti_stream_slot *slot)
{
    tutti_stream *stream = slot->stream;
    const tti_stream_gather *gather = slot->gather;
    const uint64_t key = gather->key;
    for (int i = 1; i < gather->count; i++)
        gather->regions[i]->sends--;
    tti_stream_pool_give(&stream->context->headers, slot);
    if (stream->callbacks.on_sent == NULL) return;
    tti_stream_step_out(stream->context);
    stream->callbacks.on_sent(stream, key, stream->callbacks.user);
    tti_stream_step_in(stream->context);
}

void tti_stream_return_keys(tutti_stream *stream)
{
    tti_stream_pool *headers = &stream->context->headers;
    for (int i = 0; i < headers->count; i++) {
        if (headers->slots[i].stream == stream) tti_stream_return_key(&headers->slots[i]);
    }
}

/* Pieces that one operation takes besides the header. */
static int pieces_most(const tutti_stream_context *context)
{
    const size_t parts = context->info->tx_attr->iov_limit;
    return parts < 1 ? 0 : parts - 1 < TTI_STREAM_PIECES_MOST ? (int)parts - 1 : TTI_STREAM_PIECES_MOST;
}

static int check_counts(const tutti_stream *stream, const void *header, size_t header_bytes,
                        const struct iovec *pieces, int count)
{
    if (header_bytes > TTI_STREAM_HEADER_MOST || (header == NULL && header_bytes > 0))
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_send: a header of %zu bytes at %p; it takes up to %d",
                        header_bytes, header, TTI_STREAM_HEADER_MOST);
    if (count < 0 || (pieces == NULL && count > 0))
        return tti_fail(TUTTI_ERR_ARG, "tutti_stream_send: %d pieces at %p", count, (const void *)pieces);
    const int most = pieces_most(stream->context);
    if (count > most)
        return tti_fail(TUTTI_ERR_LIMIT,
                        "tutti_stream_send: %d pieces; provider %s takes %d in one operation: send fewer and "
                        "longer ones, or several messages",
                        count, stream->context->info->fabric_attr->prov_name, most);
    return 0;
}

/* Bytes of the whole message, or an error. */
static int64_t check_pieces(const tutti_stream *stream, size_t header_bytes, const struct iovec *pieces,
                            int count)
{
    size_t whole = header_bytes;
    for (int i = 0; i < count; i++) {
        const struct iovec *piece = &pieces[i];
        if (piece->iov_len == 0) continue;
        if (tti_stream_region_of(stream->context, piece->iov_base, piece->iov_len) == NULL)
            return tti_stream_not_in_a_region(stream->context, piece->iov_base, piece->iov_len);
        whole += piece->iov_len;
        if (whole > stream->room || piece->iov_len > stream->room)
            return tti_fail(TUTTI_ERR_ARG,
                            "tutti_stream_send: a message of %zu bytes or more to %s; there is room for %zu "
                            "(buffer_bytes of both sides)",
                            whole, stream->peer, stream->room);
    }
    if (whole <= stream->room) return (int64_t)whole;
    return tti_fail(TUTTI_ERR_ARG, "tutti_stream_send: a header of %zu bytes to %s; there is room for %zu",
                    whole, stream->peer, stream->room);
}

static void fill(tti_stream_slot *slot, size_t header_bytes, const struct iovec *pieces, int count)
{
    tti_stream_gather *gather = slot->gather;
    gather->count = 1;
    gather->parts[0] = (struct iovec){slot->memory, TTI_FRAME_HEAD + header_bytes};
    gather->descriptors[0] = slot->descriptor;
    for (int i = 0; i < count; i++) {
        if (pieces[i].iov_len == 0) continue;
        tti_stream_region *region =
            tti_stream_region_of(slot->stream->context, pieces[i].iov_base, pieces[i].iov_len);
        region->sends++;
        gather->parts[gather->count] = pieces[i];
        gather->regions[gather->count] = region;
        gather->descriptors[gather->count++] =
            region->registration != NULL ? fi_mr_desc(region->registration) : NULL;
    }
}

static int send_in_place(tutti_stream *stream, const void *header, size_t header_bytes,
                         const struct iovec *pieces, int count, uint64_t key)
{
    if (stream->phase != TTI_STREAM_OPEN) return tti_stream_refuse_to_send(stream);
    const int code = check_counts(stream, header, header_bytes, pieces, count);
    if (code < 0) return code;
    const int64_t bytes = check_pieces(stream, header_bytes, pieces, count);
    if (bytes < 0) return (int)bytes;
    tti_stream_slot *slot = stream->credits > 0 ? tti_stream_pool_take(&stream->context->headers) : NULL;
    if (slot == NULL) return tti_stream_wait_for_room(stream, TTI_STREAM_WANTS_HEADER);
    stream->credits--;
    slot->stream = stream;
    slot->bytes = (uint32_t)bytes;
    slot->gather->key = key;
    if (header_bytes > 0) memcpy(slot->memory + TTI_FRAME_HEAD, header, header_bytes);
    fill(slot, header_bytes, pieces, count);
    tti_stream_send_bundle(stream); /* what was sent before goes before */
    tti_stream_queue(stream, slot, TTI_FRAME_MESSAGE);
    return 0;
}

int tutti_stream_send(tutti_stream *stream, const void *header, size_t header_bytes,
                      const struct iovec *pieces, int count, uint64_t key)
{
    const int code = tti_stream_begin(stream, "tutti_stream_send");
    if (code < 0) return code;
    return tti_stream_leave(stream->context, send_in_place(stream, header, header_bytes, pieces, count, key));
}
