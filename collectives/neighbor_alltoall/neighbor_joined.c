/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours by nodes (neighbor_joined.h): the rows of messages, and their way over the memory that the ranks
 * of a node share. */
#include "collectives/neighbor_alltoall/neighbor_joined.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

bool tti_joined_open(tti_joined *j, const tti_shape *shape, tti_builder *builder, bool whole)
{
    *j = (tti_joined){.shape = shape,
                      .builder = builder,
                      .neighbours = shape->neighbours,
                      .whole = whole,
                      .node = shape->nodes->node_of[shape->rank],
                      .place = shape->nodes->place_of[shape->rank],
                      .size = tti_shape_sharers(shape)};
    return tti_node_messages_list(shape, builder, true, whole, &j->out) &&
           tti_node_messages_list(shape, builder, false, whole, &j->in);
}

size_t tti_joined_lay(tti_joined *j, size_t *used)
{
    size_t most = 0;
    for (int i = 0; i < j->in.count; i++) {
        tti_node_message *message = &j->in.messages[i];
        size_t *end = &used[tti_joined_hands_place(j, message->node)];
        message->at = *end;
        *end += tti_lines(tti_slots_bytes(&message->slots));
    }
    for (int p = 0; p < j->size; p++)
        if (used[p] > most) most = used[p];
    return most;
}

/* The message from a node, in the WINDOW of its hands. */
static tti_slots_at came(const tti_joined *j, const tti_node_message *message, int owner)
{
    return (tti_slots_at){message->slots, owner, tti_place_at(TTI_WINDOW, j->base + message->at)};
}

static void receive(const tti_joined *j)
{
    for (int i = 0; i < j->in.count; i++) {
        const tti_node_message *message = &j->in.messages[i];
        const tti_slots_at in = came(j, message, TTI_OWN);
        if (tti_joined_is_hands(j, message->node))
            tti_slots_recv(j->builder, &in, tti_joined_other(j, message->node), tti_joined_tag(j));
    }
}

tti_slots_at tti_joined_row(const tti_joined *j, const tti_node_message *message, int i, int *count)
{
    const tti_node_edge *edge = &message->edges[i];
    int n = 1;
    while (i + n < message->count && edge[n].row > 0)
        n++;
    *count = n;
    const bool plain = tti_slots_plain(&message->slots);
    const tti_slots slots = {plain ? 0 : n, edge[n - 1].slot - edge->slot + 1, message->slots.most};
    if (edge->source == j->shape->rank)
        return (tti_slots_at){slots, TTI_OWN, tti_place_plus(j->own, edge->shown)};
    return (tti_slots_at){slots, edge->source, tti_place_at(TTI_WINDOW, j->base + edge->shown)};
}

void tti_joined_move_row(const tti_joined *j, const tti_node_message *message, int i, const tti_slots_at *row,
                         int count, const tti_slots_at *to)
{
    tti_slots_move(j->builder, row, (tti_slot){0, 0}, to, (tti_slot){i, message->edges[i].slot},
                   (tti_slot){count, row->slots.slots});
}

/* A message that is one row of the caller's goes from where it is. */
static void give_out(const tti_joined *j, const tti_node_message *message)
{
    const int other = tti_joined_other(j, message->node);
    int n;
    tti_slots_at row = tti_joined_row(j, message, 0, &n);
    if (row.owner == TTI_OWN && n == message->count) {
        tti_slots_send(j->builder, &row, other, tti_joined_tag(j));
        return;
    }
    const tti_slots_at out = tti_slots_scratch(j->builder, message->slots);
    for (int i = 0; i < message->count; i += n) {
        row = tti_joined_row(j, message, i, &n);
        if (row.owner != TTI_OWN) tti_build_await_post(j->builder, row.owner, 1);
        tti_joined_move_row(j, message, i, &row, n, &out);
    }
    tti_slots_send(j->builder, &out, other, tti_joined_tag(j));
}

/* In the order of nodes from the caller's on. */
static void send(const tti_joined *j)
{
    int first = 0;
    while (first < j->out.count && j->out.messages[first].node < j->node)
        first++;
    for (int i = 0; i < j->out.count; i++) {
        const tti_node_message *message = &j->out.messages[tti_ring(first, i, j->out.count)];
        if (tti_joined_is_hands(j, message->node)) give_out(j, message);
    }
}

void tti_joined_exchange(const tti_joined *j)
{
    receive(j);
    send(j);
}

/* The parts for the caller of what came to those hands. */
static void take_from_hands(const tti_joined *j, const tti_node_message *message, int hands)
{
    const tti_slots_at in = came(j, message, hands == j->shape->rank ? TTI_OWN : hands);
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        const tti_extent part = tti_joined_received(j, edge);
        if (edge->target != j->shape->rank) continue;
        if (in.owner != TTI_OWN) tti_build_await_post(j->builder, hands, 2);
        tti_slots_get(j->builder, &in, (tti_slot){i, edge->slot}, tti_place_at(TTI_OUTPUT, part.at),
                      part.bytes, edge->source);
    }
}

static bool is_hands(const tti_joined *j)
{
    for (int i = 0; i < j->in.count; i++)
        if (tti_joined_is_hands(j, j->in.messages[i].node)) return true;
    return false;
}

void tti_joined_spread(const tti_joined *j)
{
    if (is_hands(j)) tti_build_post(j->builder, TTI_ALL);
    for (int p = 0; p < j->size; p++)
        for (int i = 0; i < j->in.count; i++) {
            const tti_node_message *message = &j->in.messages[i];
            if (tti_joined_hands_place(j, message->node) == tti_ring(j->place, p, j->size))
                take_from_hands(j, message, tti_joined_hands(j, message->node));
        }
}
