/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets between two ranks: a ring of cache lines with one writer and one reader. Here is the writer's side.
 *
 * Sleeping needs an order between two stores and two loads: the sender stores the slot's flag, then looks
 * whether the receiver is armed; the receiver arms, then looks at the flag. Each has a fence between the two,
 * or the receiver sees to both (order.c), so that one of the two sees the other. Sleeping for room works the
 * same way; so do the bit sets of active senders, by fences alone. */
#include "runtime/node/mailbox.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/pages.h"
#include "runtime/base/past.h"
#include "runtime/base/prefetch.h"
#include "runtime/base/publish.h"
#include "runtime/base/status.h"
#include "runtime/node/bell.h"
#include "runtime/node/ordered.h"
#include "runtime/node/segment.h"

/* Slots that lie so far ahead are made this rank's own early: the receiver, which looks at the very next one
 * all the time, would only take that back. */
#define SLOTS_AHEAD 4
/* A line comes in 30 to 60 ns, with what the clock takes, between processors that share their nearest caches,
 * in 65 to 90 where they share the last one, and in up to 250 between others. Of the second, ranks that take
 * turns on processors count as near, too: what one left at the front the next on that processor finds there.
 */
#define NEAR_NS 60
#define SHARED_NS 80
/* A stream that the receiver never takes all of goes to the front from this part of the area on. */
#define STREAM_SHARE 64
/* So many bytes are worth a line more, so that they lie in lines as the sender's do. */
#define ALIKE_LEAST 2048
/* Every so manieth look tells how long a line takes, which costs about as much as that. */
#define LOOKS_APART TTI_NODE_TAKEN_APART

/* Where the data area is all free the next packet goes to its front, whose lines are in the nearest caches of
 * both if these are near: 1 KiB comes in 0.20 us so, behind the last packet in 0.26, and with these lines
 * asked for ahead in 0.29. Far from each other a line that was just read takes longest to take back, and 4
 * KiB come in 1.5 us so, behind the last packet in 1.3. There, and with what is written past the caches, the
 * whole area is gone through. */
static bool uses_front(const tti_node *node, const tti_node_outbox *out)
{
    return out->passage_ns < (node->alone ? NEAR_NS : SHARED_NS) && !out->past;
}

/* Learns how far the receiver is and gives its data space back. */
static void refresh(const tti_node *node, tti_node_outbox *out)
{
    const uint32_t consumed = atomic_load(&out->ring->consumed);
    const uint32_t more = consumed - out->consumed;
    if (more == 0) return;
    out->consumed = consumed;
    const uint32_t last = (out->consumed_place + more - 1) % node->shape.slots;
    out->consumed_place = tti_node_following(last, node->shape.slots);
    out->data_tail = out->ends[last];
    if (consumed == out->next && uses_front(node, out)) out->data_head = out->data_tail = 0;
}

/* The same at the beginning of something long. */
static void look(const tti_node *node, tti_node_outbox *out)
{
    if (out->looks++ % LOOKS_APART == 0) tti_node_time_passage(node, out);
    refresh(node, out);
}

size_t tti_node_fetch_least(tti_node *node, int peer)
{
    look(node, &node->out[peer]);
    return node->out[peer].fetch_least;
}

/* Whether the next packet goes to the front before the area is full, for its lines' sake: a stream of 1 KiB
 * takes 0.14 us a packet so, 4 KiB 0.38, else 0.21 and 0.54 (far from each other 0.47 and 0.60, else 0.17 and
 * 0.45). Only where the receiver has taken half of what lies before: there is as much room at the front then
 * as it lags behind. */
static bool turns_early(const tti_node *node, const tti_node_outbox *out, uint32_t need)
{
    const uint32_t head = out->data_head, tail = out->data_tail;
    return uses_front(node, out) && head >= node->shape.data_bytes / STREAM_SHARE && tail > need &&
           tail >= head / 2;
}

/* Finds `need` (whole lines) contiguous free bytes. A head never catches up with the tail. */
static bool find_space(const tti_node *node, const tti_node_outbox *out, uint32_t need, uint32_t *offset)
{
    const uint32_t head = out->data_head, tail = out->data_tail, size = node->shape.data_bytes;
    if (head < tail) {
        *offset = head;
        return head + need < tail;
    }
    const bool fits = head + need < size || (head + need == size && tail > 0);
    if (fits && !turns_early(node, out, need)) {
        *offset = head;
        return true;
    }
    *offset = 0;
    return need < tail;
}

/* Looks once more. Who will only look again need not be rung for, so the receiver is asked to when this rank
 * is to sleep; or now, if another thread of it sleeps already. */
static void want_room(tti_node *node, tti_node_outbox *out)
{
    node->refused = out->refused = true;
    const bool asked = atomic_load_explicit(&out->ring->wanted, memory_order_relaxed) != 0;
    if (!asked && tti_node_is_armed(node->bell)) {
        tti_node_ask_for_room(node);
        tti_node_order(node);
    }
    refresh(node, out);
}

/* The data area up to `end`, and as much again. With a fault for each page of it 8 ranks' first exchanges of
 * 1 KiB with four neighbours took eight times as long as later ones, so 2 to 4 times (where a fault costs 14
 * us). The receiver, too, maps in one fault what is there. */
static TTI_APART void ready(const tti_node *node, tti_node_outbox *out, uint32_t end)
{
    const uint32_t pages = 2 * ((end + TTI_NODE_PAGE - 1) / TTI_NODE_PAGE), size = node->shape.data_bytes;
    const uint32_t up_to = pages < size / TTI_NODE_PAGE ? pages * TTI_NODE_PAGE : size;
    tti_pages_ready(out->data + out->ready, up_to - out->ready);
    out->ready = up_to;
}

static bool take_space(tti_node *node, tti_node_outbox *out, size_t bytes, uint32_t *offset)
{
    const uint32_t need = (uint32_t)((bytes + TTI_NODE_LINE - 1) / TTI_NODE_LINE * TTI_NODE_LINE);
    /* Once a page is often enough to ask, and keeps a slow talker on its first page. */
    const bool new_page = out->data_head / TTI_NODE_PAGE != (out->data_head + need - 1) / TTI_NODE_PAGE;
    if (new_page) look(node, out);
    if (!find_space(node, out, need, offset)) {
        want_room(node, out);
        if (out->consumed == out->next) out->data_head = out->data_tail = 0;
        if (!find_space(node, out, need, offset)) return false;
    }
    if (new_page && *offset + need > out->ready) ready(node, out, *offset + need);
    out->data_head = *offset + need == node->shape.data_bytes ? 0 : *offset + need;
    return true;
}

static void mark_active(tti_node *node, int peer)
{
    _Atomic uint64_t *word = &node->out[peer].bell->active[node->index / 64];
    const uint64_t bit = UINT64_C(1) << (node->index % 64);
    if ((atomic_load(word) & bit) == 0) atomic_fetch_or(word, bit);
}

static bool has_slots(const tti_node *node, const tti_node_outbox *out, uint32_t count)
{
    return out->next + count - out->consumed <= node->shape.slots;
}

static TTI_APART bool free_slots(tti_node *node, tti_node_outbox *out, uint32_t count)
{
    refresh(node, out);
    if (!has_slots(node, out, count)) want_room(node, out);
    return has_slots(node, out, count);
}

static inline void join(unsigned char *to, const void *head, size_t head_bytes, const void *body,
                        size_t body_bytes)
{
    tti_copy_short(to, head, head_bytes);
    tti_copy_short(to + head_bytes, body, body_bytes);
}

/* Into the data area. */
static void copy_in(tti_node_outbox *out, uint32_t offset, const void *head, size_t head_bytes,
                    const void *body, size_t body_bytes)
{
    unsigned char *to = out->data + offset;
    if (!out->past) {
        join(to, head, head_bytes, body, body_bytes);
        return;
    }
    if (head_bytes > 0) tti_copy_past(to, head, head_bytes);
    if (body_bytes > 0) tti_copy_past(to + head_bytes, body, body_bytes);
}

/* Fills the slots behind the first one, and the first but for its flag. Goes to the last. */
static void spread(const tti_node *node, tti_node_outbox *out, uint32_t pieces, const unsigned char *packet)
{
    tti_node_slot *slots = out->ring->slots;
    memcpy(slots[out->place].at.piece, packet, TTI_NODE_PIECE);
    for (uint32_t i = 1; i < pieces; i++) {
        out->ends[out->place] = out->data_head;
        out->place = tti_node_following(out->place, node->shape.slots);
        memcpy(slots[out->place].at.piece, packet + i * TTI_NODE_PIECE, TTI_NODE_PIECE);
        atomic_store_explicit(&slots[out->place].flag, out->next + 1 + i, memory_order_relaxed);
    }
}

/* The slots that the next packet will be written to, if it is like this one. */
static void fetch_ahead(const tti_node *node, const tti_node_outbox *out, uint32_t pieces)
{
    for (uint32_t i = 0; i < pieces; i++) {
        const uint32_t place = out->place + SLOTS_AHEAD + i, slots = node->shape.slots;
        tti_prefetch_write(&out->ring->slots[place < slots ? place : place % slots]);
    }
}

/* Where in its first line a packet begins, so that its body lies in lines as the sender's data do, but for
 * less than 8 bytes: then whole lines are copied to whole lines, and never at one of those distances at which
 * that is slow (copy.h). */
static uint32_t place_in_line(const tti_node *node, size_t head_bytes, const void *body, size_t body_bytes)
{
    const size_t room = node->shape.data_bytes - TTI_NODE_LINE;
    if (body_bytes < ALIKE_LEAST || head_bytes + body_bytes + TTI_NODE_LINE > room) return 0;
    return (uint32_t)(((uintptr_t)body - head_bytes) % TTI_NODE_LINE / 8 * 8);
}

/* All of a packet that is longer than a slot but its flag: 0, 1 (no room now), or an error. */
static TTI_APART int put_long(tti_node *node, int peer, const void *head, size_t head_bytes, const void *body,
                              size_t body_bytes)
{
    tti_node_outbox *out = &node->out[peer];
    tti_node_slot *slot = &out->ring->slots[out->place];
    const size_t bytes = head_bytes + body_bytes;
    const uint32_t pieces = tti_node_pieces(&node->shape, bytes);
    if (pieces > 1) {
        unsigned char joined[TTI_NODE_INLINE_MAX];
        join(joined, head, head_bytes, body, body_bytes);
        spread(node, out, pieces, joined);
        return 0;
    }
    if (bytes > TTI_NODE_PACKET_MAX || bytes > node->shape.data_bytes - TTI_NODE_LINE)
        return tti_fail(TUTTI_ERR_ARG, "a packet of %zu bytes for rank %d is over %d", bytes,
                        tti_node_rank_of(node, peer), TTI_NODE_PACKET_MAX);
    uint32_t offset;
    const uint32_t begin = place_in_line(node, head_bytes, body, body_bytes);
    out->past = bytes >= out->past_least;
    if (!take_space(node, out, begin + bytes, &offset)) return 1;
    copy_in(out, offset + begin, head, head_bytes, body, body_bytes);
    slot->at.offset = offset + begin;
    return 0;
}

/* Stores the flag, before looking whether the receiver sleeps. */
static inline void show(const tti_node *node, int peer, tti_node_slot *slot, uint32_t number)
{
    tti_publish_to(tti_node_is_ordered(node, peer), &slot->flag, number);
}

TTI_HOT int tti_node_send(tti_node *node, int peer, const void *head, size_t head_bytes, const void *body,
                          size_t body_bytes)
{
    const size_t bytes = head_bytes + body_bytes;
    tti_node_outbox *out = &node->out[peer];
    const uint32_t pieces = tti_node_pieces(&node->shape, bytes);
    if (__builtin_expect(!has_slots(node, out, pieces), 0) && !free_slots(node, out, pieces)) return 1;
    tti_node_slot *slot = &out->ring->slots[out->place];
    if (__builtin_expect(bytes <= TTI_NODE_PIECE && bytes <= node->shape.inline_max, 1)) {
        tti_copy_few(slot->at.piece, head, head_bytes);
        tti_copy_few(slot->at.piece + head_bytes, body, body_bytes);
    } else {
        const int code = put_long(node, peer, head, head_bytes, body, body_bytes);
        if (code != 0) return code;
    }
    slot->bytes = (uint32_t)bytes;
    out->ends[out->place] = out->data_head;
    out->place = tti_node_following(out->place, node->shape.slots);
    out->next += pieces;
    show(node, peer, slot, out->next - pieces + 1);
    if (peer == node->index) node->self_used = true;
    if (node->shape.bells) mark_active(node, peer);
    if (__builtin_expect(tti_node_is_armed(out->bell), 0)) tti_node_poke(node, peer);
    fetch_ahead(node, out, pieces);
    return 0;
}

bool tti_node_is_behind(tti_node *node, int peer)
{
    tti_node_outbox *out = &node->out[peer];
    if (out->next - out->consumed > 1) refresh(node, out);
    return out->next - out->consumed > 1;
}
