/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets between two ranks: a ring of cache lines with one writer and one reader.
 *
 * Sleeping needs an order between two stores and two loads: the sender stores the slot's flag, then looks
 * whether the receiver is armed; the receiver arms, then looks at the flag. All four are sequentially
 * consistent, so that one of the two sees the other. The bit sets of active senders work the same way. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/node/segment.h"

static uint32_t following(uint32_t place, uint32_t slots)
{
    return place + 1 == slots ? 0 : place + 1;
}

/* Learns how far the receiver is and gives its data space back. */
static void refresh(const tti_node *node, tti_node_outbox *out)
{
    const uint32_t consumed = atomic_load(&out->ring->consumed);
    const uint32_t more = consumed - out->consumed;
    if (more == 0) return;
    out->consumed = consumed;
    const uint32_t last = (out->consumed_place + more - 1) % node->shape.slots;
    out->consumed_place = following(last, node->shape.slots);
    out->data_tail = out->ends[last];
    /* All taken: begin at the front again, where the lines and pages are that were used before. */
    if (consumed == out->next) out->data_head = out->data_tail = 0;
}

/* Finds `need` (whole lines) contiguous free bytes. A head never catches up with the tail. */
static bool find_space(const tti_node *node, const tti_node_outbox *out, uint32_t need, uint32_t *offset)
{
    const uint32_t head = out->data_head, tail = out->data_tail, size = node->shape.data_bytes;
    if (head < tail) {
        *offset = head;
        return head + need < tail;
    }
    if (head + need < size || (head + need == size && tail > 0)) {
        *offset = head;
        return true;
    }
    *offset = 0;
    return need < tail;
}

/* Asks the receiver to ring when there is room, and looks once more: as with sleeping, one of the two sees
 * the other's store. */
static void want_room(const tti_node *node, tti_node_outbox *out)
{
    atomic_store(&out->ring->wanted, 1);
    refresh(node, out);
}

static bool take_space(const tti_node *node, tti_node_outbox *out, size_t bytes, uint32_t *offset)
{
    const uint32_t need = (uint32_t)((bytes + TTI_NODE_LINE - 1) / TTI_NODE_LINE * TTI_NODE_LINE);
    /* Once a page is often enough to ask, and keeps a slow talker on its first page. */
    const bool new_page = out->data_head / TTI_NODE_PAGE != (out->data_head + need - 1) / TTI_NODE_PAGE;
    if (new_page) refresh(node, out);
    if (!find_space(node, out, need, offset)) {
        want_room(node, out);
        if (!find_space(node, out, need, offset)) return false;
    }
    out->data_head = *offset + need == node->shape.data_bytes ? 0 : *offset + need;
    return true;
}

static void mark_active(tti_node *node, int peer)
{
    _Atomic uint64_t *word = &node->out[peer].bell->active[node->index / 64];
    const uint64_t bit = UINT64_C(1) << (node->index % 64);
    if ((atomic_load(word) & bit) == 0) atomic_fetch_or(word, bit);
}

static bool free_slot(const tti_node *node, tti_node_outbox *out)
{
    refresh(node, out);
    if (out->next - out->consumed == node->shape.slots) want_room(node, out);
    return out->next - out->consumed != node->shape.slots;
}

TTI_HOT int tti_node_send(tti_node *node, int peer, const void *head, size_t head_bytes, const void *body,
                          size_t body_bytes)
{
    const size_t bytes = head_bytes + body_bytes;
    if (bytes > TTI_NODE_PACKET_MAX || bytes > node->shape.data_bytes - TTI_NODE_LINE)
        return tti_fail(TUTTI_ERR_ARG, "a packet of %zu bytes for rank %d is over %d", bytes,
                        tti_node_rank_of(node, peer), TTI_NODE_PACKET_MAX);
    tti_node_outbox *out = &node->out[peer];
    if (out->next - out->consumed == node->shape.slots && !free_slot(node, out)) return 1;
    tti_node_slot *slot = &out->ring->slots[out->place];
    unsigned char *to = slot->at.inlined;
    if (bytes > node->shape.inline_max) {
        uint32_t offset;
        if (!take_space(node, out, bytes, &offset)) return 1;
        to = out->data + offset;
        slot->at.offset = offset;
    }
    if (head_bytes > 0) memcpy(to, head, head_bytes);
    if (body_bytes > 0) memcpy(to + head_bytes, body, body_bytes);
    slot->bytes = (uint32_t)bytes;
    out->ends[out->place] = out->data_head;
    out->place = following(out->place, node->shape.slots);
    atomic_store(&slot->flag, ++out->next);
    if (peer == node->index) node->self_used = true;
    if (node->shape.bells) mark_active(node, peer);
    tti_node_poke(node, peer);
    return 0;
}

/* Rings for a sender that found no room, once the ring is half empty: it is not woken for every single slot.
 */
static void offer_room(tti_node *node, int peer)
{
    const tti_node_inbox *in = &node->in[peer];
    const uint32_t half = node->shape.slots / 2;
    atomic_store(&in->ring->consumed, in->next);
    if (atomic_load(&in->ring->wanted) == 0) return;
    const uint32_t place = (in->place + half) % node->shape.slots;
    if (atomic_load(&in->ring->slots[place].flag) == in->next + half + 1) return;
    atomic_store(&in->ring->wanted, 0);
    tti_node_poke(node, peer);
}

/* Hands over at most `limit` packets of `peer`. */
TTI_HOT static int drain(tti_node *node, int peer, int limit, tti_node_packet_fn *handle, void *context)
{
    tti_node_inbox *in = &node->in[peer];
    int count = 0;
    for (; count < limit; count++) {
        const tti_node_slot *slot = &in->ring->slots[in->place];
        if (atomic_load(&slot->flag) != in->next + 1) break;
        const bool inlined = slot->bytes <= node->shape.inline_max;
        handle(context, peer, inlined ? slot->at.inlined : in->data + slot->at.offset, slot->bytes);
        in->place = following(in->place, node->shape.slots);
        atomic_store_explicit(&in->ring->consumed, ++in->next, memory_order_release);
    }
    if (count > 0) offer_room(node, peer);
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

/* One word of the bit set. A bit stays pending until its ring was found empty after the bit was taken. */
TTI_HOT static int poll_word(tti_node *node, int word, int limit, tti_node_packet_fn *handle, void *context)
{
    _Atomic uint64_t *active = &node->bell->active[word];
    uint64_t left = node->pending[word];
    if (atomic_load(active) != 0) left |= atomic_exchange(active, 0);
    int count = 0;
    uint64_t kept = 0;
    while (left != 0) {
        const uint64_t bit = left & (~left + 1);
        left ^= bit;
        if (count == limit) {
            kept |= bit;
            continue;
        }
        const int before = count, peer = word * 64 + __builtin_ctzll(bit);
        /* One sender gets at most its half of what is left, so that a flood does not starve the others. */
        const int share = left != 0 ? (limit - count + 1) / 2 : limit - count;
        count += drain(node, peer, share, handle, context);
        if (count - before == share) kept |= bit;
    }
    node->pending[word] = kept;
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
