/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoallv/joint.h"

/* Of the messages about a node with its hands, which are those of several. */
static int tag_of(const tti_joint *j, int node, int first)
{
    return first + TTI_TAGS_OF_JOINT * (node / j->size);
}

/* As the hands: the rows of all ranks of the node, one after the other, go in one message. */
static void give(const tti_joint *j, int node)
{
    const size_t row = tti_joint_row(j, node), bytes = tti_joint_message(j, node);
    const tti_place out = tti_build_scratch(j->builder, bytes);
    for (int source = 0; source < j->size; source++) {
        const tti_place to = tti_place_plus(out, row * (size_t)source);
        if (source == j->place)
            tti_build_copy(j->builder, tti_joint_row_at(j, node), to, row);
        else
            tti_build_recv(j->builder, to, row, tti_joint_member(j, source), tag_of(j, node, TTI_TAG_GIVEN));
    }
    tti_build_send(j->builder, out, bytes, tti_joint_other(j, node), TTI_TAG_JOINT);
}

/* Of the message that has come the slots for the rank at a place, in a row. */
static tti_place column_of(const tti_joint *j, int node, tti_place in, int place)
{
    const tti_place column = tti_build_scratch(j->builder, tti_joint_row(j, node));
    for (int source = 0; source < tti_node_ranks(j->map, node); source++)
        tti_build_copy(j->builder, tti_place_plus(in, j->slot * (size_t)(source * j->size + place)),
                       tti_place_plus(column, j->slot * (size_t)source), j->slot);
    return column;
}

static void take_column(const tti_joint *j, int node, tti_place column)
{
    for (int source = 0; source < tti_node_ranks(j->map, node); source++)
        tti_joint_take(j, TTI_OWN, tti_place_plus(column, j->slot * (size_t)source),
                       j->map->members[j->map->start[node] + source]);
}

/* As the hands: the message from that node comes, and each rank gets its column. */
static void hand_out(const tti_joint *j, int node)
{
    const tti_place in = tti_build_scratch(j->builder, tti_joint_message(j, node));
    tti_build_recv(j->builder, in, tti_joint_message(j, node), tti_joint_other(j, node), TTI_TAG_JOINT);
    for (int place = 0; place < j->size; place++) {
        const tti_place column = column_of(j, node, in, place);
        if (place == j->place)
            take_column(j, node, column);
        else
            tti_build_send(j->builder, column, tti_joint_row(j, node), tti_joint_member(j, place),
                           tag_of(j, node, TTI_TAG_GOT));
    }
}

static void get_column(const tti_joint *j, int node)
{
    const tti_place column = tti_build_scratch(j->builder, tti_joint_row(j, node));
    tti_build_recv(j->builder, column, tti_joint_row(j, node), tti_joint_member(j, node % j->size),
                   tag_of(j, node, TTI_TAG_GOT));
    take_column(j, node, column);
}

void tti_joint_by_messages(tti_joint *j)
{
    const int nodes = j->map->nodes;
    j->slots = tti_build_scratch(j->builder, j->slot * (size_t)j->shape->size);
    tti_joint_fill(j);
    for (int b = 0; b < nodes; b++)
        if (tti_joint_joins(j, b) && !tti_joint_is_hands(j, j->place, b))
            tti_build_send(j->builder, tti_joint_row_at(j, b), tti_joint_row(j, b),
                           tti_joint_member(j, b % j->size), tag_of(j, b, TTI_TAG_GIVEN));
    for (int b = 0; b < nodes; b++)
        if (tti_joint_is_hands(j, j->place, b)) give(j, b);
    for (int b = 0; b < nodes; b++) {
        if (!tti_joint_joins(j, b)) continue;
        if (tti_joint_is_hands(j, j->place, b))
            hand_out(j, b);
        else
            get_column(j, b);
    }
}
