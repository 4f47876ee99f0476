/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours by nodes, where the ranks of a node pass messages. */
#include "collectives/neighbor_alltoall/neighbor_joined.h"

static bool is_inside(const tti_joined *j, int peer)
{
    return peer >= 0 && peer != j->shape->rank && j->shape->nodes->node_of[peer] == j->node;
}

static void exchange_inside(const tti_joined *j)
{
    const tti_neighbour_list *from = &j->neighbours->sources, *to = &j->neighbours->targets;
    for (int i = 0; i < from->count; i++)
        if (is_inside(j, from->ranks[i]))
            tti_build_recv(j->builder, tti_joined_result(j, from->numbers[i]), j->block, from->ranks[i],
                           from->numbers[i]);
    for (int i = 0; i < to->count; i++)
        if (is_inside(j, to->ranks[i]))
            tti_build_send(j->builder, tti_joined_given(j, i), j->block, to->ranks[i], i);
    tti_neighbor_keep_own(j->shape, j->builder, j->whole);
}

static void give_to_hands(const tti_joined *j, const tti_node_message *message)
{
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        if (edge->source == j->shape->rank && tti_joined_is_first(message, edge))
            tti_build_send(j->builder, tti_joined_given(j, edge->number), j->block,
                           tti_joined_hands(j, message->node), tti_joined_tag_up(j, edge->number));
    }
}

/* As the hands for a node: parts come to their places in the message. */
static void give_out(const tti_joined *j, const tti_node_message *message)
{
    const size_t bytes = tti_joined_bytes(j, message);
    const tti_place out = tti_build_scratch(j->builder, bytes);
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        const tti_place to = tti_place_plus(out, j->block * (size_t)edge->slot);
        if (!tti_joined_is_first(message, edge)) continue;
        if (edge->source == j->shape->rank)
            tti_build_copy(j->builder, tti_joined_given(j, edge->number), to, j->block);
        else
            tti_build_recv(j->builder, to, j->block, edge->source, tti_joined_tag_up(j, edge->number));
    }
    tti_build_send(j->builder, out, bytes, tti_joined_other(j, message->node), tti_joined_tag(j));
}

/* Each edge's part to its target. */
static void hand_on(const tti_joined *j, const tti_node_message *message)
{
    const size_t bytes = tti_joined_bytes(j, message);
    const tti_place in = tti_build_scratch(j->builder, bytes);
    tti_build_recv(j->builder, in, bytes, tti_joined_other(j, message->node), tti_joined_tag(j));
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        const tti_place from = tti_place_plus(in, j->block * (size_t)edge->slot);
        if (edge->target == j->shape->rank)
            tti_build_copy(j->builder, from, tti_joined_result(j, edge->number), j->block);
        else
            tti_build_send(j->builder, from, j->block, edge->target, tti_joined_tag_down(j, edge->number));
    }
}

static void take_from_hands(const tti_joined *j, const tti_node_message *message)
{
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        if (edge->target == j->shape->rank)
            tti_build_recv(j->builder, tti_joined_result(j, edge->number), j->block,
                           tti_joined_hands(j, message->node), tti_joined_tag_down(j, edge->number));
    }
}

void tti_joined_by_messages(const tti_joined *j)
{
    exchange_inside(j);
    for (int i = 0; i < j->out.count; i++) {
        const tti_node_message *message = &j->out.messages[i];
        const bool hands = tti_joined_hands_place(j, message->node) == j->place;
        (hands ? give_out : give_to_hands)(j, message);
    }
    for (int i = 0; i < j->in.count; i++) {
        const tti_node_message *message = &j->in.messages[i];
        const bool hands = tti_joined_hands_place(j, message->node) == j->place;
        (hands ? hand_on : take_from_hands)(j, message);
    }
}
