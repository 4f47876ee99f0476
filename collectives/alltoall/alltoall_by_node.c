/* SPDX-License-Identifier: BSD-3-Clause */
/* By nodes: what goes from the ranks of one node to those of another is one message, between two ranks that
 * are the hands of their nodes for each other. A message has a column of blocks for each rank that gets some,
 * in the order of those that give. */
#include "collectives/alltoall/alltoall_by_hands.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* Bytes of the messages that come to the hands at `place` of the caller's node, up to that of `node`. */
static size_t incoming(const tti_hands *h, int place, int node)
{
    size_t bytes = 0;
    for (int b = place; b < node; b += h->size)
        if (b != h->node) bytes += tti_lines(tti_hands_message(h, b));
    return bytes;
}

/* Where those lie in a WINDOW: behind the blocks of its rank, for all, by node. */
static size_t shown_at(const tti_hands *h, int node)
{
    return tti_lines(h->block * (size_t)h->shape->size) + incoming(h, node % h->size, node);
}

/* Whether all that a rank of the node shows finds room at once. */
static bool fits(const tti_hands *h)
{
    size_t most = 0;
    for (int place = 0; place < h->size; place++) {
        const size_t bytes = incoming(h, place, h->map->nodes);
        if (bytes > most) most = bytes;
    }
    return h->size > 1 && tti_lines(h->block * (size_t)h->shape->size) + most <= h->shape->window;
}

static size_t position_at(const tti_hands *h, int position)
{
    return h->block * (size_t)position;
}

/* The blocks for all, node by node. */
static void show_own(const tti_hands *h)
{
    const int *members = h->map->members;
    for (int i = 0, n; i < h->shape->size; i += n) {
        for (n = 1; i + n < h->shape->size && members[i + n] == members[i] + n;)
            n++;
        tti_build_copy(h->builder, tti_hands_own(h, members[i]), tti_place_at(TTI_WINDOW, position_at(h, i)),
                       h->block * (size_t)n);
    }
    tti_build_post(h->builder, TTI_ALL);
    tti_build_await_post(h->builder, TTI_ALL, 1);
}

/* The block that the rank at `source` of the node shows for the one at a position. */
static void take(const tti_hands *h, int source, int position, tti_place to)
{
    const size_t from = position_at(h, position);
    if (source == h->place)
        tti_build_copy(h->builder, tti_place_at(TTI_WINDOW, from), to, h->block);
    else
        tti_build_copy_from(h->builder, tti_hands_member(h, source), from, to, h->block);
}

static void take_inside(const tti_hands *h)
{
    for (int i = 0; i < h->size; i++) {
        const int source = tti_ring(h->place, i, h->size);
        if (source != h->place || !h->shape->in_place)
            take(h, source, h->map->start[h->node] + h->place,
                 tti_hands_result(h, source + h->map->start[h->node]));
    }
}

static void give_out(const tti_hands *h, int node)
{
    const tti_place out = tti_build_scratch(h->builder, tti_hands_message(h, node));
    tti_place at = out;
    for (int position = h->map->start[node]; position < h->map->start[node + 1]; position++)
        for (int source = 0; source < h->size; source++, at = tti_place_plus(at, h->block))
            take(h, source, position, at);
    tti_build_send(h->builder, out, tti_hands_message(h, node), tti_hands_other(h, node), TTI_TAG_HANDS);
}

/* Whether the rank at a place of the node is the hands for any other. */
static bool is_hands(const tti_hands *h, int place)
{
    return incoming(h, place, h->map->nodes) > 0;
}

/* The hands show what has come, and each takes its columns. */
static void spread(const tti_hands *h)
{
    if (is_hands(h, h->place)) tti_build_post(h->builder, TTI_ALL);
    for (int i = 0; i < h->size; i++) {
        const int hands = tti_ring(h->place, i, h->size);
        if (hands != h->place && is_hands(h, hands))
            tti_build_await_post(h->builder, tti_hands_member(h, hands), 2);
        for (int b = hands; b < h->map->nodes; b += h->size) {
            const size_t column = shown_at(h, b) + tti_hands_column(h, b) * (size_t)h->place;
            if (b == h->node) continue;
            if (hands == h->place)
                tti_hands_put(h, b, tti_place_at(TTI_WINDOW, column));
            else
                tti_hands_put_from(h, b, tti_hands_member(h, hands), column);
        }
    }
}

/* Messages come straight to where they are shown. */
static void by_window(const tti_hands *h)
{
    const int nodes = h->map->nodes;
    show_own(h);
    for (int b = h->place; b < nodes; b += h->size)
        if (b != h->node)
            tti_build_recv(h->builder, tti_place_at(TTI_WINDOW, shown_at(h, b)), tti_hands_message(h, b),
                           tti_hands_other(h, b), TTI_TAG_HANDS);
    for (int i = 1; i < nodes; i++) {
        const int node = tti_ring(h->node, i, nodes);
        if (node % h->size == h->place) give_out(h, node);
    }
    take_inside(h);
    spread(h);
}

/* What the ranks of a node have for those of another goes in one message. For that the two nodes have one
 * rank each, the hands: on node a for node b the one at place b modulo the ranks of a, so that all ranks have
 * a part of the work.
 *
 *   2 nodes of 2      1 takes what is for 2 and 3      2 ← 1: 0→2 1→2 0→3 1→3      3 takes its column
 *                     2 takes what is for 0 and 1      1 ← 2: 2→0 3→0 2→1 3→1      0 takes its column
 *
 * On shared memory where all of it finds room there at once, else inside a node by messages, too.
 * After J. Träff, A. Rougier, "MPI collectives and datatypes for hierarchical all-to-all communication",
 * 2014. */
void tti_alltoall_by_node(const tti_shape *shape, tti_builder *builder)
{
    const tti_hands hands = tti_hands_open(shape, builder);
    if (hands.block == 0) return;
    if (fits(&hands))
        by_window(&hands);
    else
        tti_hands_by_messages(&hands);
}
