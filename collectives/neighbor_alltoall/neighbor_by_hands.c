/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours by nodes (neighbor_joined.h), where the ranks of a node pass messages. */
#include "collectives/neighbor_alltoall/neighbor_joined.h"

static void give_to_hands(const tti_joined *j, const tti_node_message *message)
{
    for (int i = 0, n; i < message->count; i += n) {
        const tti_slots_at row = tti_joined_row(j, message, i, &n);
        if (row.owner == TTI_OWN)
            tti_slots_send(j->builder, &row, tti_joined_hands(j, message->node),
                           tti_joined_tag_up(j, message->edges[i].number));
    }
}

/* Another rank's row comes to its place in the message: straight, or by way of memory of its own, where
 * layers lie apart. */
static void get_row(const tti_joined *j, const tti_node_message *message, int i, tti_slots_at row, int count,
                    const tti_slots_at *out)
{
    const int source = row.owner, tag = tti_joined_tag_up(j, message->edges[i].number);
    if (tti_slots_plain(&row.slots)) {
        row = tti_slots_some(out, message->edges[i].slot, row.slots.slots);
        tti_slots_recv(j->builder, &row, source, tag);
        return;
    }
    row = tti_slots_scratch(j->builder, row.slots);
    tti_slots_recv(j->builder, &row, source, tag);
    tti_joined_move_row(j, message, i, &row, count, out);
}

/* As the hands for a node: rows come to their places in the message. */
static void give_out(const tti_joined *j, const tti_node_message *message)
{
    const tti_slots_at out = tti_slots_scratch(j->builder, message->slots);
    for (int i = 0, n; i < message->count; i += n) {
        const tti_slots_at row = tti_joined_row(j, message, i, &n);
        if (row.owner == TTI_OWN)
            tti_joined_move_row(j, message, i, &row, n, &out);
        else
            get_row(j, message, i, row, n, &out);
    }
    tti_slots_send(j->builder, &out, tti_joined_other(j, message->node), tti_joined_tag(j));
}

static void take(const tti_joined *j, const tti_slots_at *from, tti_slot which, const tti_node_edge *edge)
{
    const tti_extent part = tti_joined_received(j, edge);
    tti_slots_get(j->builder, from, which, tti_place_at(TTI_OUTPUT, part.at), part.bytes, edge->source);
}

/* What is for one target. */
static tti_slots one_of(const tti_node_message *message)
{
    return (tti_slots){tti_slots_plain(&message->slots) ? 0 : 1, 1, message->slots.most};
}

static void hand_one(const tti_joined *j, const tti_slots_at *in, tti_slot which,
                     const tti_node_message *message, const tti_node_edge *edge)
{
    tti_slots_at one = tti_slots_some(in, which.slot, 1);
    if (!tti_slots_plain(&in->slots)) {
        one = tti_slots_scratch(j->builder, one_of(message));
        tti_slots_move(j->builder, in, which, &one, (tti_slot){0, 0}, (tti_slot){1, 1});
    }
    tti_slots_send(j->builder, &one, edge->target, tti_joined_tag_down(j, edge->number));
}

/* Each edge's part to its target. */
static void hand_on(const tti_joined *j, const tti_node_message *message)
{
    const tti_slots_at in = tti_slots_scratch(j->builder, message->slots);
    tti_slots_recv(j->builder, &in, tti_joined_other(j, message->node), tti_joined_tag(j));
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        const tti_slot which = {i, edge->slot};
        if (edge->target == j->shape->rank)
            take(j, &in, which, edge);
        else
            hand_one(j, &in, which, message, edge);
    }
}

/* A part of one size comes to its place, one in a slot is taken out of that. */
static void take_from_hands(const tti_joined *j, const tti_node_message *message)
{
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        if (edge->target != j->shape->rank) continue;
        tti_slots_at one = {one_of(message), TTI_OWN,
                            tti_place_at(TTI_OUTPUT, tti_joined_received(j, edge).at)};
        if (!tti_slots_plain(&one.slots)) one = tti_slots_scratch(j->builder, one.slots);
        tti_slots_recv(j->builder, &one, tti_joined_hands(j, message->node),
                       tti_joined_tag_down(j, edge->number));
        if (!tti_slots_plain(&one.slots)) take(j, &one, (tti_slot){0, 0}, edge);
    }
}

void tti_joined_by_messages(const tti_joined *j)
{
    for (int i = 0; i < j->out.count; i++) {
        const tti_node_message *message = &j->out.messages[i];
        (tti_joined_is_hands(j, message->node) ? give_out : give_to_hands)(j, message);
    }
    for (int i = 0; i < j->in.count; i++) {
        const tti_node_message *message = &j->in.messages[i];
        (tti_joined_is_hands(j, message->node) ? hand_on : take_from_hands)(j, message);
    }
}
