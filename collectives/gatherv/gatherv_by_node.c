/* SPDX-License-Identifier: BSD-3-Clause */
/* What gatherv_window.c does on the root's node. Short parts of another node of several ranks come in one
 * message of its hands (compose/joined_rooted.h), to which the others show theirs in WINDOWs, or bring them
 * by messages where there is no room. */
#include "collectives/compose/joined_rooted.h"
#include "collectives/gatherv/gatherv.h"

/* The caller's part into a slot, and its size beside it. */
static void fill(const tti_joined_rooted *j, const tti_slots_at *slots, int place)
{
    const size_t bytes = tti_shape_own_bytes(j->shape);
    tti_slots_tell(j->builder, slots, place, bytes);
    tti_slots_put(j->builder, slots, place, tti_place_at(TTI_INPUT, 0), bytes);
}

static void give(const tti_joined_rooted *j, int hands)
{
    const tti_slots row = tti_joined_rooted_row(j);
    if (tti_joined_rooted_by_window(j, row)) {
        const tti_slots_at shown = {row, TTI_OWN, tti_place_at(TTI_WINDOW, 0)};
        fill(j, &shown, 0);
        tti_build_window(j->builder, tti_slots_bytes(&row));
        tti_build_post(j->builder, hands);
        return;
    }
    const tti_slots_at own = tti_slots_scratch(j->builder, row);
    fill(j, &own, 0);
    tti_slots_send(j->builder, &own, hands, TTI_TAG_WITH_HANDS);
}

/* As the hands: where another rank's slot is found. */
static tti_slots_at row_of(const tti_joined_rooted *j, int rank)
{
    const tti_slots row = tti_joined_rooted_row(j);
    if (tti_joined_rooted_by_window(j, row)) {
        tti_build_await_post(j->builder, rank, 1);
        return (tti_slots_at){row, rank, tti_place_at(TTI_WINDOW, 0)};
    }
    const tti_slots_at got = tti_slots_scratch(j->builder, row);
    tti_slots_recv(j->builder, &got, rank, TTI_TAG_WITH_HANDS);
    return got;
}

static void hand_on(const tti_joined_rooted *j, int node)
{
    const tti_slots_at out = tti_slots_scratch(j->builder, tti_joined_rooted_message(j, node));
    fill(j, &out, j->map->place_of[j->shape->rank]);
    for (int place = 0; place < tti_node_ranks(j->map, node); place++) {
        const int rank = tti_node_member(j->map, node, place);
        if (rank == j->shape->rank) continue;
        const tti_slots_at row = row_of(j, rank);
        tti_slots_move(j->builder, &row, tti_joined_rooted_slot(0), &out, tti_joined_rooted_slot(place),
                       (tti_slot){1, 1});
    }
    tti_slots_send(j->builder, &out, j->shape->root, TTI_TAG_WITH_ROOT);
}

/* As the root: a node's message, and what is in it. */
static tti_slots_at receive(const tti_joined_rooted *j, int node)
{
    const tti_slots_at in = tti_slots_scratch(j->builder, tti_joined_rooted_message(j, node));
    tti_slots_recv(j->builder, &in, tti_joined_rooted_hands(j, node), TTI_TAG_WITH_ROOT);
    return in;
}

static void take(const tti_joined_rooted *j, const tti_slots_at *in, int node)
{
    for (int place = 0; place < tti_node_ranks(j->map, node); place++) {
        const int rank = tti_node_member(j->map, node, place);
        const tti_extent part = tti_shape_received(j->shape, rank);
        tti_slots_get(j->builder, in, tti_joined_rooted_slot(place), tti_place_at(TTI_OUTPUT, part.at),
                      part.bytes, rank);
    }
}

/* As the root: messages are awaited before its own node's parts are, and taken after these. */
static void collect(const tti_joined_rooted *j)
{
    tti_slots_at *in = tti_build_memory(j->builder, j->map->nodes, sizeof *in);
    if (in == NULL) return;
    for (int node = 0; node < j->map->nodes; node++)
        if (tti_joined_rooted_joins(j, node)) in[node] = receive(j, node);
    tti_gatherv_inside(j->shape, j->builder, j->most);
    for (int node = 0; node < j->map->nodes; node++)
        if (tti_joined_rooted_joins(j, node)) take(j, &in[node], node);
}

void tti_gatherv_by_node(const tti_shape *shape, tti_builder *builder)
{
    const tti_joined_rooted j = tti_joined_rooted_open(shape, builder);
    if (shape->rank == shape->root) {
        collect(&j);
        return;
    }
    const int node = j.map->node_of[shape->rank], hands = tti_joined_rooted_hands(&j, node);
    tti_gatherv_inside(shape, builder, j.most);
    if (!tti_joined_rooted_joins(&j, node)) return;
    if (shape->rank == hands)
        hand_on(&j, node);
    else
        give(&j, hands);
}
