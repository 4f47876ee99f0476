/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/joint.h"

/* Of the messages about a node with its hands, which are those of several. */
static int tag_of(const tti_joint *j, int node, int first)
{
    return first + TTI_TAGS_OF_JOINT * (node / j->hands.size);
}

/* As the hands: the rows of all ranks of the node, one after the other, go in one message. */
static void give(const tti_joint *j, int node)
{
    const size_t row = tti_hands_column(&j->hands, node), bytes = tti_hands_message(&j->hands, node);
    const tti_place out = tti_build_scratch(j->hands.builder, bytes);
    for (int source = 0; source < j->hands.size; source++) {
        const tti_place to = tti_place_plus(out, row * (size_t)source);
        if (source == j->hands.place)
            tti_build_copy(j->hands.builder, tti_joint_row_at(j, node), to, row);
        else
            tti_build_recv(j->hands.builder, to, row, tti_hands_member(&j->hands, source),
                           tag_of(j, node, TTI_TAG_GIVEN));
    }
    tti_build_send(j->hands.builder, out, bytes, tti_hands_other(&j->hands, node), TTI_TAG_JOINT);
}

/* Of the message that has come the slots for the rank at a place, in a row. */
static tti_place column_of(const tti_joint *j, int node, tti_place in, int place)
{
    const tti_place column = tti_build_scratch(j->hands.builder, tti_hands_column(&j->hands, node));
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_build_copy(j->hands.builder,
                       tti_place_plus(in, j->hands.block * (size_t)(source * j->hands.size + place)),
                       tti_place_plus(column, j->hands.block * (size_t)source), j->hands.block);
    return column;
}

static void take_column(const tti_joint *j, int node, tti_place column)
{
    for (int source = 0; source < tti_hands_ranks(&j->hands, node); source++)
        tti_joint_take(j, TTI_OWN, tti_place_plus(column, j->hands.block * (size_t)source),
                       j->hands.map->members[j->hands.map->start[node] + source]);
}

/* As the hands: the message from that node comes, and each rank gets its column. */
static void hand_out(const tti_joint *j, int node)
{
    const tti_place in = tti_build_scratch(j->hands.builder, tti_hands_message(&j->hands, node));
    tti_build_recv(j->hands.builder, in, tti_hands_message(&j->hands, node), tti_hands_other(&j->hands, node),
                   TTI_TAG_JOINT);
    for (int place = 0; place < j->hands.size; place++) {
        const tti_place column = column_of(j, node, in, place);
        if (place == j->hands.place)
            take_column(j, node, column);
        else
            tti_build_send(j->hands.builder, column, tti_hands_column(&j->hands, node),
                           tti_hands_member(&j->hands, place), tag_of(j, node, TTI_TAG_GOT));
    }
}

static void get_column(const tti_joint *j, int node)
{
    const tti_place column = tti_build_scratch(j->hands.builder, tti_hands_column(&j->hands, node));
    tti_build_recv(j->hands.builder, column, tti_hands_column(&j->hands, node),
                   tti_hands_member(&j->hands, node % j->hands.size), tag_of(j, node, TTI_TAG_GOT));
    take_column(j, node, column);
}

void tti_joint_by_messages(tti_joint *j)
{
    const int nodes = j->hands.map->nodes;
    j->slots = tti_build_scratch(j->hands.builder, j->hands.block * (size_t)j->hands.shape->size);
    tti_joint_fill(j);
    for (int b = 0; b < nodes; b++)
        if (tti_joint_joins(j, b) && !tti_joint_is_hands(j, b))
            tti_build_send(j->hands.builder, tti_joint_row_at(j, b), tti_hands_column(&j->hands, b),
                           tti_hands_member(&j->hands, b % j->hands.size), tag_of(j, b, TTI_TAG_GIVEN));
    for (int b = 0; b < nodes; b++)
        if (tti_joint_is_hands(j, b)) give(j, b);
    for (int b = 0; b < nodes; b++) {
        if (!tti_joint_joins(j, b)) continue;
        if (tti_joint_is_hands(j, b))
            hand_out(j, b);
        else
            get_column(j, b);
    }
}
