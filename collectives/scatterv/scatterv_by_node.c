/* SPDX-License-Identifier: BSD-3-Clause */
/* What scatterv_window.c does on the root's node. Short parts for another node of several ranks go in one
 * message to its hands (compose/joined_rooted.h), and the others take theirs out of the hands' WINDOW, or get
 * them by messages where there is no room. */
#include "collectives/compose/joined_rooted.h"
#include "collectives/scatterv/scatterv.h"

/* As the root. */
static void send(const tti_joined_rooted *j, int node)
{
    const tti_slots_at out = tti_slots_scratch(j->builder, tti_joined_rooted_message(j, node));
    for (int place = 0; place < tti_node_ranks(j->map, node); place++) {
        const tti_extent part = tti_shape_sent(j->shape, tti_node_member(j->map, node, place));
        tti_slots_tell(j->builder, &out, place, part.bytes);
        tti_slots_put(j->builder, &out, place, tti_place_plus(tti_shape_own(j->shape), part.at), part.bytes);
    }
    tti_slots_send(j->builder, &out, tti_joined_rooted_hands(j, node), TTI_TAG_WITH_ROOT);
}

/* The caller's part out of a slot. */
static void take(const tti_joined_rooted *j, const tti_slots_at *slots, int place)
{
    tti_slots_get(j->builder, slots, tti_joined_rooted_slot(place), tti_place_at(TTI_OUTPUT, 0),
                  tti_shape_own_bytes(j->shape), j->shape->root);
}

/* As the hands: what has come is shown to the others, or each is sent its slot. */
static void show(const tti_joined_rooted *j, const tti_slots_at *in)
{
    tti_build_window(j->builder, tti_slots_bytes(&in->slots));
    tti_slots_recv(j->builder, in, j->shape->root, TTI_TAG_WITH_ROOT);
    tti_build_post(j->builder, TTI_ALL);
}

static void hand_on(const tti_joined_rooted *j, const tti_slots_at *in, int node)
{
    tti_slots_recv(j->builder, in, j->shape->root, TTI_TAG_WITH_ROOT);
    for (int place = 0; place < tti_node_ranks(j->map, node); place++) {
        const int rank = tti_node_member(j->map, node, place);
        if (rank == j->shape->rank) continue;
        const tti_slots_at row = tti_slots_scratch(j->builder, tti_joined_rooted_row(j));
        tti_slots_move(j->builder, in, tti_joined_rooted_slot(place), &row, tti_joined_rooted_slot(0),
                       (tti_slot){1, 1});
        tti_slots_send(j->builder, &row, rank, TTI_TAG_WITH_HANDS);
    }
}

static void spread(const tti_joined_rooted *j, int node)
{
    const tti_slots message = tti_joined_rooted_message(j, node);
    tti_slots_at in = {message, TTI_OWN, tti_place_at(TTI_WINDOW, 0)};
    if (tti_joined_rooted_by_window(j, message)) {
        show(j, &in);
    } else {
        in = tti_slots_scratch(j->builder, message);
        hand_on(j, &in, node);
    }
    take(j, &in, j->map->place_of[j->shape->rank]);
}

static void get(const tti_joined_rooted *j, int node)
{
    const tti_slots message = tti_joined_rooted_message(j, node);
    const int hands = tti_joined_rooted_hands(j, node);
    if (tti_joined_rooted_by_window(j, message)) {
        const tti_slots_at shown = {message, hands, tti_place_at(TTI_WINDOW, 0)};
        tti_build_await_post(j->builder, hands, 1);
        take(j, &shown, j->map->place_of[j->shape->rank]);
        return;
    }
    const tti_slots_at row = tti_slots_scratch(j->builder, tti_joined_rooted_row(j));
    tti_slots_recv(j->builder, &row, hands, TTI_TAG_WITH_HANDS);
    take(j, &row, 0);
}

void tti_scatterv_by_node(const tti_shape *shape, tti_builder *builder)
{
    const tti_joined_rooted j = tti_joined_rooted_open(shape, builder);
    const int own = j.map->node_of[shape->rank];
    for (int node = 0; node < j.map->nodes && shape->rank == shape->root; node++)
        if (tti_joined_rooted_joins(&j, node)) send(&j, node);
    tti_scatterv_inside(shape, builder, j.most);
    if (!tti_joined_rooted_joins(&j, own)) return;
    if (shape->rank == tti_joined_rooted_hands(&j, own))
        spread(&j, own);
    else
        get(&j, own);
}
