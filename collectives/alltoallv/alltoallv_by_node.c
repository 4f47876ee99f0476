/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/joint.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* Bytes of a slot, of a message from node to node, and of all slots that a rank may have and get as hands, at
 * most: little enough that an exchange in which most parts are empty, or long, does not suffer. */
#define SLOT ((size_t)1088) /* 1 KiB with its size */
#define JOINED ((size_t)20 << 10)
#define SLOTS ((size_t)128 << 10)

/* How many ranks the largest node has, and the smallest of several. */
static void find_sizes(const tti_node_map *map, int *most, int *least)
{
    *most = *least = 0;
    for (int n = 0; n < map->nodes; n++) {
        const int ranks = tti_node_ranks(map, n);
        if (ranks > *most) *most = ranks;
        if (ranks > 1 && (*least == 0 || ranks < *least)) *least = ranks;
    }
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Slots are of one size everywhere, by what all ranks know: WINDOWs are a node's affair. A rank has a slot
 * for each rank, and those of the messages that come to it, as the hands for so many nodes at most. */
static tti_joint open_joint(const tti_shape *shape, tti_builder *builder)
{
    int most, least;
    tti_joint j = {.hands = tti_hands_open(shape, builder)};
    find_sizes(shape->nodes, &most, &least);
    if (least == 0) return j;
    const size_t pairs = (size_t)most * (size_t)most, handed = (size_t)(shape->nodes->nodes / least + 1);
    const size_t slots = (size_t)shape->size + pairs * handed;
    const size_t slot = least_of(least_of(SLOT, JOINED / pairs), SLOTS / slots);
    j.hands.block = slot / TTI_WINDOW_LINE * TTI_WINDOW_LINE;
    j.bytes = slots * j.hands.block;
    return j;
}

void tti_joint_fill(const tti_joint *j)
{
    for (int position = 0; position < j->hands.shape->size; position++) {
        const int rank = j->hands.map->members[position];
        const tti_place slot = tti_place_plus(j->slots, j->hands.block * (size_t)position);
        const tti_extent part = tti_shape_sent(j->hands.shape, rank);
        if (!tti_joint_joins(j, j->hands.map->node_of[rank])) continue;
        tti_build_tell(j->hands.builder, slot, part.bytes);
        if (part.bytes + TTI_STEP_WORD <= j->hands.block)
            tti_build_copy(j->hands.builder, tti_place_plus(tti_shape_own(j->hands.shape), part.at),
                           tti_place_plus(slot, TTI_STEP_WORD), part.bytes);
    }
}

void tti_joint_take(const tti_joint *j, int hands, tti_place slot, int from)
{
    const tti_extent part = tti_shape_received(j->hands.shape, from);
    const tti_place to = tti_place_at(TTI_OUTPUT, part.at);
    tti_build_compare_passed(j->hands.builder, hands, slot, part.bytes, from);
    slot = tti_place_plus(slot, TTI_STEP_WORD);
    if (part.bytes + TTI_STEP_WORD > j->hands.block) return;
    if (hands == TTI_OWN)
        tti_build_copy(j->hands.builder, slot, to, part.bytes);
    else
        tti_build_copy_from(j->hands.builder, hands, slot.offset, to, part.bytes);
}

/* Where the message from a node lies in the WINDOW of the hands for it: behind its own slots. */
static tti_place came_from(const tti_joint *j, int node)
{
    size_t before = j->hands.block * (size_t)j->hands.shape->size;
    for (int b = node % j->hands.size; b < node; b += j->hands.size)
        if (tti_joint_joins(j, b)) before += tti_hands_message(&j->hands, b);
    return tti_place_plus(j->slots, before);
}

static void await_message(const tti_joint *j, int node)
{
    tti_build_recv(j->hands.builder, came_from(j, node), tti_hands_message(&j->hands, node),
                   tti_hands_other(&j->hands, node), TTI_TAG_JOINT);
}

/* The rows of all ranks of the caller's node, one after the other. */
static void give(const tti_joint *j, int node)
{
    const size_t row = tti_hands_column(&j->hands, node), bytes = tti_hands_message(&j->hands, node);
    const tti_place out = tti_build_scratch(j->hands.builder, bytes), from = tti_joint_row_at(j, node);
    for (int source = 0; source < j->hands.size; source++) {
        const tti_place to = tti_place_plus(out, row * (size_t)source);
        if (source == j->hands.place)
            tti_build_copy(j->hands.builder, from, to, row);
        else
            tti_build_copy_from(j->hands.builder, tti_hands_member(&j->hands, source), from.offset, to, row);
    }
    tti_build_send(j->hands.builder, out, bytes, tti_hands_other(&j->hands, node), TTI_TAG_JOINT);
}

static void take(const tti_joint *j, int hands, int node)
{
    tti_place slot = tti_place_plus(came_from(j, node), j->hands.block * (size_t)j->hands.place);
    for (int i = j->hands.map->start[node]; i < j->hands.map->start[node + 1]; i++) {
        tti_joint_take(j, hands, slot, j->hands.map->members[i]);
        slot = tti_place_plus(slot, j->hands.block * (size_t)j->hands.size);
    }
}

static bool has_some(const tti_joint *j, int place)
{
    for (int b = place; b < j->hands.map->nodes; b += j->hands.size)
        if (tti_joint_is_hands(j, place, b)) return true;
    return false;
}

/* The hands show what has come, and each takes its slots. */
static void spread(const tti_joint *j)
{
    if (has_some(j, j->hands.place)) tti_build_post(j->hands.builder, TTI_ALL);
    for (int i = 0; i < j->hands.size; i++) {
        const int place = tti_ring(j->hands.place, i, j->hands.size),
                  rank = tti_hands_member(&j->hands, place);
        if (!has_some(j, place)) continue;
        if (place != j->hands.place) tti_build_await_post(j->hands.builder, rank, 2);
        for (int b = place; b < j->hands.map->nodes; b += j->hands.size)
            if (tti_joint_is_hands(j, place, b)) take(j, place == j->hands.place ? TTI_OWN : rank, b);
    }
}

/* Slots are in the hindmost part of WINDOWs, and parts for the caller's own node in front. */
static void by_window(tti_joint *j)
{
    tti_shape near = *j->hands.shape;
    near.window -= j->bytes;
    j->slots = tti_place_at(TTI_WINDOW, near.window);
    const tti_window_parts parts = tti_window_parts_open(&near, j->hands.builder, j->hands.size);
    tti_alltoall_messages(j->hands.shape, j->hands.builder,
                          (tti_alltoall_short){parts.most, j->hands.block - TTI_STEP_WORD});
    tti_alltoallv_show(&parts);
    tti_joint_fill(j);
    tti_build_window(j->hands.builder, near.window + j->hands.block * (size_t)j->hands.shape->size);
    tti_build_post(j->hands.builder, TTI_ALL);
    tti_build_await_post(j->hands.builder, TTI_ALL, 1);
    for (int b = j->hands.place; b < j->hands.map->nodes; b += j->hands.size)
        if (tti_joint_is_hands(j, j->hands.place, b)) await_message(j, b);
    for (int i = 1; i < j->hands.map->nodes; i++) {
        const int node = tti_ring(j->hands.node, i, j->hands.map->nodes);
        if (tti_joint_is_hands(j, j->hands.place, node)) give(j, node);
    }
    tti_alltoallv_take(&parts);
    spread(j);
}

/* Between two nodes of several ranks each all short parts of all ranks, with their sizes, are one message
 * between the hands of the nodes for each other (alltoall_by_node.c). Since only two ranks know the size of a
 * part each has a slot of one size; what is too long for it goes alone, and only its size is there.
 *
 *   2 nodes of 2, from the first to the second: slots, each with a size and up to so many bytes
 *   0→2 0→3 1→2 1→3
 *
 * Inside a node slots are in WINDOWs where there is room, else messages bring them to the hands. */
void tti_alltoallv_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_joint j = open_joint(shape, builder);
    if (j.hands.block == 0 || j.hands.size == 1) {
        tti_alltoallv_window(shape, builder);
    } else if (shape->window >= 2 * j.bytes) {
        by_window(&j);
    } else {
        tti_alltoallv_inside(shape, builder, j.hands.block - TTI_STEP_WORD);
        tti_joint_by_messages(&j);
    }
}
