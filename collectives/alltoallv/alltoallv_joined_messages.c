/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/alltoallv_joined.h"

/* Of the messages about a node with its hands, which are those of several. */
static int tag_of(const tti_joined_v *j, int node, int first)
{
    return first + TTI_TAGS_OF_JOINED * (node / j->hands.size);
}

static tti_slots_at get_row(const tti_joined_v *j, int node, int source)
{
    const tti_slots_at row = tti_slots_scratch(j->hands.builder, tti_joined_v_row(j, node));
    tti_slots_recv(j->hands.builder, &row, tti_hands_member(&j->hands, source),
                   tag_of(j, node, TTI_TAG_GIVEN));
    return row;
}

/* Of the message that has come what is for the rank at a place. */
static tti_slots_at column_of(const tti_joined_v *j, int node, const tti_slots_at *in, int place)
{
    const tti_slots_at column = tti_slots_scratch(j->hands.builder, tti_joined_v_row(j, node));
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_slots_move(j->hands.builder, in, tti_joined_v_coming(j, source, place), &column,
                       (tti_slot){source, source}, (tti_slot){1, 1});
    return column;
}

/* As the hands: the message from that node comes, and each rank gets its column. */
static void hand_out(const tti_joined_v *j, int node)
{
    const tti_slots_at in = tti_slots_scratch(j->hands.builder, tti_joined_v_message(j, node));
    tti_slots_recv(j->hands.builder, &in, tti_hands_other(&j->hands, node), TTI_TAG_JOINED);
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_joined_v_take(j, &in, tti_joined_v_coming(j, source, j->hands.place), node, source);
    for (int place = 0; place < j->hands.size; place++) {
        if (place == j->hands.place) continue;
        const tti_slots_at column = column_of(j, node, &in, place);
        tti_slots_send(j->hands.builder, &column, tti_hands_member(&j->hands, place),
                       tag_of(j, node, TTI_TAG_GOT));
    }
}

static void get_column(const tti_joined_v *j, int node)
{
    const tti_slots_at column = tti_slots_scratch(j->hands.builder, tti_joined_v_row(j, node));
    tti_slots_recv(j->hands.builder, &column, tti_hands_member(&j->hands, node % j->hands.size),
                   tag_of(j, node, TTI_TAG_GOT));
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_joined_v_take(j, &column, (tti_slot){source, source}, node, source);
}

static void give_row(const tti_joined_v *j, int node)
{
    const tti_slots_at row = tti_joined_v_own(j, node);
    tti_slots_send(j->hands.builder, &row, tti_hands_member(&j->hands, node % j->hands.size),
                   tag_of(j, node, TTI_TAG_GIVEN));
}

void tti_joined_v_by_messages(tti_joined_v *j)
{
    const int nodes = j->hands.map->nodes;
    j->own = tti_build_scratch(j->hands.builder, j->bytes);
    tti_joined_v_fill(j);
    for (int b = 0; b < nodes; b++)
        if (tti_joined_v_joins(j, b) && !tti_joined_v_is_hands(j, b)) give_row(j, b);
    for (int b = 0; b < nodes; b++)
        if (tti_joined_v_is_hands(j, b)) tti_joined_v_give(j, b, get_row);
    for (int b = 0; b < nodes; b++)
        if (tti_joined_v_joins(j, b)) (tti_joined_v_is_hands(j, b) ? hand_out : get_column)(j, b);
}
