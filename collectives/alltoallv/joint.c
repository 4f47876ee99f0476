/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/joint.h"

#include "collectives/compose/window_blocks.h"

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

/* A rank has a slot for each rank, and those of the messages that come to it, as the hands for so many nodes
 * at most. */
tti_joint tti_joint_open(const tti_shape *shape, tti_builder *builder)
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
