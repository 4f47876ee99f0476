/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/alltoallv.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* Bytes of a slot, and of a message from node to node, at most: little enough that an exchange in which most
 * parts are empty, or long, does not suffer. */
#define SLOT ((size_t)1088) /* 1 KiB with its size */
#define JOINED ((size_t)20 << 10)
#define TAG_JOINED 1 /* parts that go alone have 0 */

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_node_map *map;
    int node, place, size; /* the caller's, and how many ranks it has */
    size_t slot;           /* bytes of a size and a part; 0: nothing is joined */
    size_t at;             /* where the slots of a WINDOW begin: behind what is for its own node */
} joint;

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

/* Slots are of one size everywhere, which all ranks compute alike. They have half of a WINDOW: one for each
 * rank, and those of the messages that come to its rank, which is the hands for so many nodes at most. */
static joint open_joint(const tti_shape *shape, tti_builder *builder)
{
    int most, least;
    joint j = {.shape = shape, .builder = builder, .map = shape->nodes};
    j.node = j.map->node_of[shape->rank];
    j.place = j.map->place_of[shape->rank];
    j.size = tti_node_ranks(j.map, j.node);
    find_sizes(j.map, &most, &least);
    if (least == 0) return j;
    const size_t pairs = (size_t)most * (size_t)most, handed = (size_t)(j.map->nodes / least + 1);
    const size_t slots = (size_t)shape->size + pairs * handed, room = shape->window / 2 / slots;
    const size_t most_of_slot = JOINED / pairs < SLOT ? JOINED / pairs : SLOT;
    j.slot = (most_of_slot < room ? most_of_slot : room) / TTI_WINDOW_LINE * TTI_WINDOW_LINE;
    j.at = shape->window - slots * j.slot;
    return j;
}

static size_t message(const joint *j, int node)
{
    return j->slot * (size_t)j->size * (size_t)tti_node_ranks(j->map, node);
}

/* Whether the rank at a place of the caller's node is the hands for that node, and the two join what they
 * have for each other. */
static bool is_hands(const joint *j, int place, int node)
{
    return node != j->node && tti_node_ranks(j->map, node) > 1 && node % j->size == place;
}

/* Where the slots for a rank's are, in the WINDOW of whoever has a part for it. */
static size_t slot_for(const joint *j, int position)
{
    return j->at + j->slot * (size_t)position;
}

/* Where the message from a node lies in the WINDOW of the hands for it. */
static size_t came_from(const joint *j, int node)
{
    size_t at = slot_for(j, j->shape->size);
    for (int b = node % j->size; b < node; b += j->size)
        if (is_hands(j, b % j->size, b)) at += message(j, b);
    return at;
}

static int other_hands(const joint *j, int node)
{
    return tti_node_hands(j->map, node, j->node);
}

/* The size of the caller's part for each rank of those nodes, and the part if it is short. */
static void fill(const joint *j)
{
    for (int position = 0; position < j->shape->size; position++) {
        const int rank = j->map->members[position];
        const size_t slot = slot_for(j, position);
        const tti_extent part = tti_shape_sent(j->shape, rank);
        if (!tti_alltoall_joins(j->shape, rank)) continue;
        tti_build_tell(j->builder, slot, part.bytes);
        if (part.bytes + TTI_STEP_WORD <= j->slot)
            tti_build_copy(j->builder, tti_place_plus(tti_shape_own(j->shape), part.at),
                           tti_place_at(TTI_WINDOW, slot + TTI_STEP_WORD), part.bytes);
    }
    tti_build_window(j->builder, slot_for(j, j->shape->size));
}

static void await_message(const joint *j, int node)
{
    tti_build_recv(j->builder, tti_place_at(TTI_WINDOW, came_from(j, node)), message(j, node),
                   other_hands(j, node), TAG_JOINED);
}

/* The slots of all ranks of the caller's node, one rank's after the other's. */
static void give(const joint *j, int node)
{
    const tti_place out = tti_build_scratch(j->builder, message(j, node));
    const size_t from = slot_for(j, j->map->start[node]), bytes = message(j, node) / (size_t)j->size;
    for (int source = 0; source < j->size; source++) {
        const tti_place to = tti_place_plus(out, bytes * (size_t)source);
        if (source == j->place)
            tti_build_copy(j->builder, tti_place_at(TTI_WINDOW, from), to, bytes);
        else
            tti_build_copy_from(j->builder, j->map->members[j->map->start[j->node] + source], from, to,
                                bytes);
    }
    tti_build_send(j->builder, out, message(j, node), other_hands(j, node), TAG_JOINED);
}

/* Out of the WINDOW of the hands, which may be the caller's own. */
static void take_slot(const joint *j, int hands, size_t slot, int rank)
{
    const tti_extent part = tti_shape_received(j->shape, rank);
    const tti_place to = tti_place_at(TTI_OUTPUT, part.at);
    tti_build_compare_passed(j->builder, hands, slot, part.bytes, rank);
    if (part.bytes + TTI_STEP_WORD > j->slot) return;
    if (hands == TTI_OWN)
        tti_build_copy(j->builder, tti_place_at(TTI_WINDOW, slot + TTI_STEP_WORD), to, part.bytes);
    else
        tti_build_copy_from(j->builder, hands, slot + TTI_STEP_WORD, to, part.bytes);
}

static void take(const joint *j, int hands, int node)
{
    size_t slot = came_from(j, node) + j->slot * (size_t)j->place;
    for (int i = j->map->start[node]; i < j->map->start[node + 1]; i++, slot += j->slot * (size_t)j->size)
        take_slot(j, hands, slot, j->map->members[i]);
}

static bool has_some(const joint *j, int place)
{
    for (int b = place; b < j->map->nodes; b += j->size)
        if (is_hands(j, place, b)) return true;
    return false;
}

/* The hands show what has come, and each takes its slots. */
static void spread(const joint *j)
{
    if (has_some(j, j->place)) tti_build_post(j->builder, TTI_ALL);
    for (int i = 0; i < j->size; i++) {
        const int place = tti_ring(j->place, i, j->size);
        const int rank = j->map->members[j->map->start[j->node] + place];
        if (!has_some(j, place)) continue;
        if (place != j->place) tti_build_await_post(j->builder, rank, 2);
        for (int b = place; b < j->map->nodes; b += j->size)
            if (is_hands(j, place, b)) take(j, place == j->place ? TTI_OWN : rank, b);
    }
}

/* Between two nodes of several ranks each all short parts of all ranks, with their sizes, are one message
 * between the hands of the nodes for each other (alltoall_by_node.c). Since only two ranks know the size of a
 * part each has a slot of one size; what is too long for it goes alone, and only its size is there.
 *
 *   2 nodes of 2, from the first to the second: slots, each with a size and up to so many bytes
 *   0→2 0→3 1→2 1→3 */
void tti_alltoallv_by_node(const tti_shape *shape, tti_builder *builder)
{
    const joint j = open_joint(shape, builder);
    if (j.slot == 0 || j.size == 1) {
        tti_alltoallv_window(shape, builder);
        return;
    }
    tti_shape near = *shape;
    near.window = j.at;
    const tti_window_parts parts = tti_window_parts_open(&near, builder, j.size);
    tti_alltoall_messages(shape, builder, (tti_alltoall_short){parts.most, j.slot - TTI_STEP_WORD});
    tti_alltoallv_show(&parts);
    fill(&j);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    for (int b = j.place; b < j.map->nodes; b += j.size)
        if (is_hands(&j, j.place, b)) await_message(&j, b);
    for (int i = 1; i < j.map->nodes; i++) {
        const int node = tti_ring(j.node, i, j.map->nodes);
        if (is_hands(&j, j.place, node)) give(&j, node);
    }
    tti_alltoallv_take(&parts);
    spread(&j);
}
