/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours by nodes, on shared memory. */
#include "collectives/compose/window_blocks.h"
#include "collectives/neighbor_alltoall/neighbor_joined.h"
#include "collectives/patterns/parts.h"

#define MOST_OF_NODE ((size_t)2 << 20)

/* Lays the messages that come into the WINDOWs of their hands, behind what these show of their own. Whether
 * they find room. */
static bool lay_messages(tti_joined *j)
{
    const size_t own =
        tti_window_lines(j->whole ? j->block : j->block * (size_t)j->neighbours->targets.count);
    size_t *used = tti_build_sizes(j->builder, j->size);
    bool fits = used != NULL && j->size > 1 && j->shape->window > 0 && own <= j->shape->window;
    for (int p = 0; p < j->size && fits; p++)
        used[p] = own;
    for (int i = 0; i < j->in.count && fits; i++) {
        tti_node_message *message = &j->in.messages[i];
        size_t *end = &used[tti_joined_hands_place(j, message->node)];
        message->at = *end;
        *end += tti_window_lines(tti_joined_bytes(j, message));
        fits = *end <= j->shape->window;
    }
    return fits;
}

/* Whether another rank of the node reads what the caller gives along an edge. */
static bool is_read(const tti_joined *j, int edge)
{
    const int target = j->neighbours->targets.ranks[edge];
    if (target < 0 || target == j->shape->rank) return false;
    const int node = j->shape->nodes->node_of[target];
    return node == j->node || tti_joined_hands_place(j, node) != j->place;
}

/* How many parts from that of an edge on others read. */
static int read_from(const tti_joined *j, int edge)
{
    const int count = j->neighbours->targets.count;
    int n = 0;
    while (edge + n < count && is_read(j, edge + n))
        n++;
    return n;
}

static void show_own(const tti_joined *j)
{
    const int count = j->neighbours->targets.count;
    bool shown = false;
    for (int i = 0; i < count;) {
        const tti_place from = tti_joined_given(j, i);
        const int n = read_from(j, i), parts = j->whole ? 1 : n;
        if (n > 0 && !(j->whole && shown))
            tti_build_copy(j->builder, from, tti_place_at(TTI_WINDOW, from.offset), j->block * (size_t)parts);
        shown = shown || n > 0;
        i += n > 0 ? n : 1;
    }
    tti_build_post(j->builder, TTI_ALL);
}

static void receive(const tti_joined *j)
{
    for (int i = 0; i < j->in.count; i++) {
        const tti_node_message *message = &j->in.messages[i];
        if (tti_joined_hands_place(j, message->node) == j->place)
            tti_build_recv(j->builder, tti_place_at(TTI_WINDOW, message->at), tti_joined_bytes(j, message),
                           tti_joined_other(j, message->node), tti_joined_tag(j));
    }
}

/* What the source of an edge shows for it, and for the next `count` - 1. */
static void take(const tti_joined *j, int source, int edge, tti_place to, int count)
{
    const tti_place from = tti_joined_given(j, edge);
    if (source == j->shape->rank) {
        tti_build_copy(j->builder, from, to, j->block * (size_t)count);
        return;
    }
    tti_build_await_post(j->builder, source, 1);
    tti_build_copy_from(j->builder, source, from.offset, to, j->block * (size_t)count);
}

/* How many parts from edge number `i` of a message on lie in a row where they are shown. */
static int row_from(const tti_joined *j, const tti_node_message *message, int i)
{
    const tti_node_edge *edge = &message->edges[i];
    int n = 1;
    while (!j->whole && i + n < message->count && edge[n].source == edge->source &&
           edge[n].number == edge->number + n)
        n++;
    return n;
}

/* A part that is the caller's alone goes from where it is. */
static void give_out(const tti_joined *j, const tti_node_message *message)
{
    const bool single = message->slots == 1 && message->edges->source == j->shape->rank;
    tti_place out = tti_joined_given(j, message->edges->number);
    if (!single) out = tti_build_scratch(j->builder, tti_joined_bytes(j, message));
    for (int i = 0, n; i < message->count && !single; i += n) {
        const tti_node_edge *edge = &message->edges[i];
        n = row_from(j, message, i);
        if (tti_joined_is_first(message, edge))
            take(j, edge->source, edge->number, tti_place_plus(out, j->block * (size_t)edge->slot), n);
    }
    tti_build_send(j->builder, out, tti_joined_bytes(j, message), tti_joined_other(j, message->node),
                   tti_joined_tag(j));
}

/* In the order of nodes from the caller's on. */
static void send(const tti_joined *j)
{
    int first = 0;
    while (first < j->out.count && j->out.messages[first].node < j->node)
        first++;
    for (int i = 0; i < j->out.count; i++) {
        const tti_node_message *message = &j->out.messages[tti_ring(first, i, j->out.count)];
        if (tti_joined_hands_place(j, message->node) == j->place) give_out(j, message);
    }
}

static void take_inside(const tti_joined *j)
{
    for (int i = 0; i < j->neighbours->sources.count; i++) {
        const int source = j->neighbours->sources.ranks[i], edge = j->neighbours->sources.numbers[i];
        if (source >= 0 && source != j->shape->rank && j->shape->nodes->node_of[source] == j->node)
            take(j, source, edge, tti_joined_result(j, edge), 1);
    }
}

/* The parts for the caller of what came to those hands. */
static void take_from_hands(const tti_joined *j, const tti_node_message *message, int hands)
{
    for (int i = 0; i < message->count; i++) {
        const tti_node_edge *edge = &message->edges[i];
        const size_t at = message->at + j->block * (size_t)edge->slot;
        const tti_place to = tti_joined_result(j, edge->number);
        if (edge->target != j->shape->rank) continue;
        if (hands == j->shape->rank) {
            tti_build_copy(j->builder, tti_place_at(TTI_WINDOW, at), to, j->block);
        } else {
            tti_build_await_post(j->builder, hands, 2);
            tti_build_copy_from(j->builder, hands, at, to, j->block);
        }
    }
}

static bool is_hands(const tti_joined *j)
{
    for (int i = 0; i < j->in.count; i++)
        if (tti_joined_hands_place(j, j->in.messages[i].node) == j->place) return true;
    return false;
}

/* The hands show what has come, and each takes its parts. */
static void spread(const tti_joined *j)
{
    if (is_hands(j)) tti_build_post(j->builder, TTI_ALL);
    for (int p = 0; p < j->size; p++)
        for (int i = 0; i < j->in.count; i++) {
            const tti_node_message *message = &j->in.messages[i];
            if (tti_joined_hands_place(j, message->node) == tti_ring(j->place, p, j->size))
                take_from_hands(j, message, tti_joined_hands(j, message->node));
        }
}

static void by_window(const tti_joined *j)
{
    show_own(j);
    receive(j);
    send(j);
    tti_neighbor_keep_own(j->shape, j->builder, j->whole);
    take_inside(j);
    spread(j);
}

/* What all ranks of the largest node give, as all ranks know it. */
static size_t given_by_node(const tti_shape *shape, bool whole)
{
    const tti_node_map *map = shape->nodes;
    const int parts = whole ? 1 : shape->neighbours->targets.count;
    int most = 0;
    for (int n = 0; n < map->nodes; n++)
        if (tti_node_ranks(map, n) > most) most = tti_node_ranks(map, n);
    return (size_t)most * (size_t)parts * tti_shape_bytes(shape);
}

static bool joins(const tti_shape *shape, bool whole)
{
    if (shape->nodes == NULL || shape->neighbours->stencil == NULL) return false;
    const size_t given = given_by_node(shape, whole);
    return given > 0 && given <= MOST_OF_NODE;
}

/* What goes along edges from one node to another is one message, between two ranks that are the hands of
 * their nodes for each other, as in alltoall by nodes. A message has a part for each edge, or, of what goes
 * to all targets alike, for each rank that gives; both hands list them by rank and edge.
 *
 *   a ring of 2 nodes of 2 ranks, up 0 → 1 → 2 → 3 → 0 and down      1 → 2: 0↓3 1↑2      2 → 1: 2↓1 3↑0
 *
 * On shared memory where all of it finds room there at once, else inside a node by messages, too. Of more
 * than MOST_OF_NODE each part goes by itself. */
static void run(const tti_shape *shape, tti_builder *builder, bool whole)
{
    const tti_node_map *map = shape->nodes;
    if (!joins(shape, whole)) {
        (whole ? tti_neighbor_window_whole : tti_neighbor_window_parts)(shape, builder);
        return;
    }
    tti_joined j = {.shape = shape,
                    .builder = builder,
                    .neighbours = shape->neighbours,
                    .whole = whole,
                    .node = map->node_of[shape->rank],
                    .place = map->place_of[shape->rank],
                    .size = tti_shape_sharers(shape),
                    .block = tti_shape_bytes(shape)};
    if (!tti_node_messages_list(shape, builder, true, whole, &j.out) ||
        !tti_node_messages_list(shape, builder, false, whole, &j.in))
        return;
    if (lay_messages(&j))
        by_window(&j);
    else
        tti_joined_by_messages(&j);
}

void tti_neighbor_by_node_parts(const tti_shape *shape, tti_builder *builder)
{
    run(shape, builder, false);
}

void tti_neighbor_by_node_whole(const tti_shape *shape, tti_builder *builder)
{
    run(shape, builder, true);
}
