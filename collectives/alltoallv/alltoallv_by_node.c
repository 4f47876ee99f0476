/* SPDX-License-Identifier: BSD-3-Clause */
/* Between two nodes of several ranks each all short parts of all ranks are one message between the hands of
 * the nodes for each other (alltoall_by_node.c). Since only two ranks know the size of a part each has a
 * slot, and its size beside it (compose/slots.h); what is too long goes alone, and only its size is there.
 *
 *   2 nodes of 2, from the first to the second: sizes of 0→2 0→3 1→2 1→3 │ their slots
 *
 * Inside a node rows of slots are in WINDOWs where there is room, else messages bring them to the hands. */
#include "collectives/alltoallv/alltoallv_joined.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* The message from a node, in the WINDOW of the hands for it. */
static tti_slots_at came_from(const tti_joined_v *j, int node, int owner)
{
    return (tti_slots_at){tti_joined_v_message(j, node), owner,
                          tti_place_at(TTI_WINDOW, j->base + j->in_at[node])};
}

static void await_message(const tti_joined_v *j, int node)
{
    const tti_slots_at in = came_from(j, node, TTI_OWN);
    tti_slots_recv(j->hands.builder, &in, tti_hands_other(&j->hands, node), TTI_TAG_JOINED);
}

static tti_slots_at shown_row(const tti_joined_v *j, int node, int source)
{
    tti_slots_at row = tti_joined_v_own(j, node);
    row.owner = tti_hands_member(&j->hands, source);
    return row;
}

static void take(const tti_joined_v *j, int owner, int node)
{
    const tti_slots_at in = came_from(j, node, owner);
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_joined_v_take(j, &in, tti_joined_v_coming(j, source, j->hands.place), node, source);
}

static bool has_some(const tti_joined_v *j, int place)
{
    for (int b = place; b < j->hands.map->nodes; b += j->hands.size)
        if (tti_joined_v_joins(j, b)) return true;
    return false;
}

/* The hands show what has come, and each takes its parts. */
static void spread(const tti_joined_v *j)
{
    if (has_some(j, j->hands.place)) tti_build_post(j->hands.builder, TTI_ALL);
    for (int i = 0; i < j->hands.size; i++) {
        const int place = tti_ring(j->hands.place, i, j->hands.size),
                  rank = tti_hands_member(&j->hands, place);
        if (!has_some(j, place)) continue;
        if (place != j->hands.place) tti_build_await_post(j->hands.builder, rank, 2);
        for (int b = place; b < j->hands.map->nodes; b += j->hands.size)
            if (tti_joined_v_joins(j, b)) take(j, place == j->hands.place ? TTI_OWN : rank, b);
    }
}

/* Rows are in the hindmost part of WINDOWs, and parts for the caller's own node in front. Each posts before
 * it sends what is long and copies its own part, since the hands wait for all. */
static void by_window(tti_joined_v *j)
{
    const int nodes = j->hands.map->nodes;
    tti_shape near = *j->hands.shape;
    near.window = j->base = near.window / TTI_LINE * TTI_LINE - j->bytes;
    j->own = tti_place_at(TTI_WINDOW, j->base);
    const tti_window_parts parts = tti_window_parts_open_all(&near, j->hands.builder);
    tti_alltoallv_show(&parts);
    tti_joined_v_fill(j);
    tti_build_window(j->hands.builder, j->base + j->in_at[0]);
    tti_build_post(j->hands.builder, TTI_ALL);
    tti_alltoall_messages(j->hands.shape, j->hands.builder, (tti_alltoall_short){parts.most, j->most});
    tti_build_await_post(j->hands.builder, TTI_ALL, 1);
    for (int b = j->hands.place; b < nodes; b += j->hands.size)
        if (tti_joined_v_joins(j, b)) await_message(j, b);
    for (int i = 1; i < nodes; i++) {
        const int node = tti_ring(j->hands.node, i, nodes);
        if (tti_joined_v_is_hands(j, node)) tti_joined_v_give(j, node, shown_row);
    }
    tti_alltoallv_take(&parts);
    spread(j);
}

void tti_alltoallv_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_joined_v j;
    if (!tti_joined_v_open(&j, shape, builder)) return;
    if (j.bytes == 0) {
        tti_alltoallv_window(shape, builder);
    } else if (j.bytes <= shape->window - shape->window / 4) {
        by_window(&j);
    } else {
        tti_alltoallv_inside(shape, builder, j.most);
        tti_joined_v_by_messages(&j);
    }
}
