/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/joint.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

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
        if (tti_joint_joins(j, b)) return true;
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
            if (tti_joint_joins(j, b)) take(j, place == j->hands.place ? TTI_OWN : rank, b);
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
        if (tti_joint_joins(j, b)) await_message(j, b);
    for (int i = 1; i < j->hands.map->nodes; i++) {
        const int node = tti_ring(j->hands.node, i, j->hands.map->nodes);
        if (tti_joint_is_hands(j, node)) give(j, node);
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
    tti_joint j = tti_joint_open(shape, builder);
    if (j.hands.block == 0 || j.hands.size == 1) {
        tti_alltoallv_window(shape, builder);
    } else if (shape->window >= 2 * j.bytes) {
        by_window(&j);
    } else {
        tti_alltoallv_inside(shape, builder, j.hands.block - TTI_STEP_WORD);
        tti_joint_by_messages(&j);
    }
}
