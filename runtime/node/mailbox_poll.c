/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader's side of the mailboxes (mailbox.c). */
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/prefetch.h"
#include "runtime/base/publish.h"
#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/ordered.h"
#include "runtime/node/segment.h"

/* Rings for a sender that found no room, once the ring is half empty: it is not woken for every single slot.
 */
static void offer_room(tti_node *node, int peer)
{
    const tti_node_inbox *in = &node->in[peer];
    const uint32_t half = node->shape.slots / 2;
    if (tti_node_is_ordered(node, peer))
        atomic_signal_fence(memory_order_seq_cst);
    else
        tti_publish(&in->ring->consumed, in->next);
    if (atomic_load(&in->ring->wanted) == 0) return;
    const uint32_t place = (in->place + half) % node->shape.slots;
    if (atomic_load(&in->ring->slots[place].flag) == in->next + half + 1) return;
    atomic_store(&in->ring->wanted, 0);
    tti_node_poke(node, peer);
}

/* Puts the pieces of a packet together; its last one is now in->place. */
static void gather(const tti_node *node, tti_node_inbox *in, uint32_t pieces, unsigned char *packet)
{
    for (uint32_t i = 0;; i++) {
        memcpy(packet + i * TTI_NODE_PIECE, in->ring->slots[in->place].at.piece, TTI_NODE_PIECE);
        if (i + 1 == pieces) return;
        in->place = tti_node_following(in->place, node->shape.slots);
    }
}

/* Hands over the packet that begins in `slot`, which is in->place; that is its last slot then. Returns how
 * many. */
TTI_HOT static uint32_t hand_over(const tti_node *node, tti_node_inbox *in, int peer,
                                  const tti_node_slot *slot, tti_node_packet_fn *handle, void *context)
{
    const uint32_t bytes = slot->bytes, pieces = tti_node_pieces(&node->shape, bytes);
    if (pieces > 1) {
        alignas(8) unsigned char joined[TTI_NODE_INLINE_MAX];
        gather(node, in, pieces, joined);
        handle(context, peer, joined, bytes);
    } else if (bytes <= node->shape.inline_max) {
        handle(context, peer, slot->at.piece, bytes);
    } else {
        const unsigned char *packet = in->data + slot->at.offset;
        /* All lines are on their way at once, while the handler looks at the first. */
        for (uint32_t at = 0; at < bytes && at < TTI_NODE_PREFETCH; at += TTI_NODE_LINE)
            tti_prefetch_read(packet + at);
        handle(context, peer, packet, bytes);
    }
    return pieces;
}

/* The next packet is likely to be as long as the last. Its further lines are asked for along with the flag,
 * so that they come with it. */
static void look_ahead(const tti_node *node, const tti_node_inbox *in)
{
    uint32_t place = in->place;
    for (uint32_t i = 1; i < in->pieces; i++) {
        place = tti_node_following(place, node->shape.slots);
        tti_prefetch_read(&in->ring->slots[place]);
    }
}

/* Hands over at most `limit` packets of `peer`. */
TTI_HOT static int drain(tti_node *node, int peer, int limit, tti_node_packet_fn *handle, void *context)
{
    tti_node_inbox *in = &node->in[peer];
    const uint32_t before = in->next;
    int count = 0;
    for (; count < limit; count++) {
        const tti_node_slot *slot = &in->ring->slots[in->place];
        if (atomic_load(&slot->flag) != in->next + 1) {
            look_ahead(node, in);
            break;
        }
        /* Behind two that have come there is likely to be a third: its line comes while this one is handled.
         */
        if (count > 0) tti_prefetch_read(&in->ring->slots[tti_node_following(in->place, node->shape.slots)]);
        in->pieces = hand_over(node, in, peer, slot, handle, context);
        in->next += in->pieces;
        in->place = tti_node_following(in->place, node->shape.slots);
        atomic_store_explicit(&in->ring->consumed, in->next, memory_order_release);
    }
    if (count > 0) offer_room(node, peer);
    if (before / TTI_NODE_TAKEN_APART != in->next / TTI_NODE_TAKEN_APART)
        atomic_store_explicit(&in->ring->taken, in->next, memory_order_relaxed);
    return count;
}

TTI_HOT static int poll_all(tti_node *node, int limit, tti_node_packet_fn *handle, void *context)
{
    int count = 0, peer = node->first;
    for (int i = 0; i < node->ranks && count < limit; i++) {
        if (peer != node->index || node->self_used)
            count += drain(node, peer, limit - count, handle, context);
        peer = peer + 1 == node->ranks ? 0 : peer + 1;
    }
    /* A poll that ran into its limit goes on behind the last one served next time. */
    if (count == limit) node->first = peer;
    return count;
}

/* Bit `by` becomes the lowest one; those below it follow the highest. */
static inline uint64_t rotate(uint64_t bits, unsigned by)
{
    return bits >> by % 64 | bits << (64 - by) % 64;
}

/* One word of the bit set. A bit stays pending until its ring was found empty after the bit was taken. A poll
 * that ran into its limit goes on behind the last one served next time: shares are halves, so the eighth
 * flood of a word gets none of 64. */
TTI_HOT static int poll_word(tti_node *node, int word, int limit, tti_node_packet_fn *handle, void *context)
{
    _Atomic uint64_t *active = &node->bell->active[word];
    tti_node_pending *pending = &node->pending[word];
    const unsigned from = pending->from;
    uint64_t left = pending->bits, kept = 0;
    if (atomic_load(active) != 0) left |= atomic_exchange(active, 0);
    left = rotate(left, from);
    int count = 0;
    while (left != 0 && count < limit) {
        const unsigned place = (from + (unsigned)__builtin_ctzll(left)) % 64;
        left &= left - 1;
        /* One sender gets at most its half of what is left, so that a flood does not starve the others. */
        const int share = left != 0 ? (limit - count + 1) / 2 : limit - count;
        const int got = drain(node, word * 64 + (int)place, share, handle, context);
        count += got;
        if (got == share) kept |= UINT64_C(1) << place;
        if (count == limit) pending->from = place + 1;
    }
    pending->bits = kept | rotate(left, 64 - from);
    return count;
}

TTI_HOT int tti_node_poll(tti_node *node, int limit, tti_node_packet_fn *handle, void *context)
{
    if (!node->shape.bells) return poll_all(node, limit, handle, context);
    const int words = (node->ranks + 63) / 64;
    int count = 0;
    for (int i = 0; i < words && count < limit; i++) {
        const int word = (node->first + i) % words;
        count += poll_word(node, word, limit - count, handle, context);
    }
    if (count == limit) node->first = (node->first + 1) % words;
    return count;
}
