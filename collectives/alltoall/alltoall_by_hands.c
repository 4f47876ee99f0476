/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoall/alltoall_by_hands.h"

/* How many positions from `position` on, up to `end`, are of ranks in a row. */
static int run_from(const tti_hands *h, int position, int end)
{
    int n = 1;
    while (position + n < end && h->map->members[position + n] == h->map->members[position] + n)
        n++;
    return n;
}

void tti_hands_put(const tti_hands *h, int node, tti_place from)
{
    const int end = h->map->start[node + 1];
    for (int i = h->map->start[node], n; i < end; i += n) {
        n = run_from(h, i, end);
        tti_build_copy(h->builder, from, tti_hands_result(h, i), h->block * (size_t)n);
        from = tti_place_plus(from, h->block * (size_t)n);
    }
}

void tti_hands_put_from(const tti_hands *h, int node, int peer, size_t offset)
{
    const int end = h->map->start[node + 1];
    for (int i = h->map->start[node], n; i < end; i += n) {
        n = run_from(h, i, end);
        tti_build_copy_from(h->builder, peer, offset, tti_hands_result(h, i), h->block * (size_t)n);
        offset += h->block * (size_t)n;
    }
}

/* Of the messages about a node with its hands, which are those of several. */
static int tag_of(const tti_hands *h, int node, int first)
{
    return first + TTI_TAGS_OF_NODE * (node / h->size);
}

/* The caller's blocks for a node, in a row. */
static tti_place row_for(const tti_hands *h, int node)
{
    const int *start = h->map->start, *members = h->map->members;
    if (members[start[node + 1] - 1] - members[start[node]] == tti_hands_ranks(h, node) - 1)
        return tti_hands_own(h, members[start[node]]);
    const tti_place row = tti_build_scratch(h->builder, tti_hands_column(h, node));
    for (int i = 0; i < tti_hands_ranks(h, node); i++)
        tti_build_copy(h->builder, tti_hands_own(h, members[start[node] + i]),
                       tti_place_plus(row, h->block * (size_t)i), h->block);
    return row;
}

/* As the hands for a node: rows come, and their blocks are turned into columns. Returns the message. */
static tti_place turn(const tti_hands *h, int node)
{
    const size_t bytes = tti_hands_message(h, node), row = tti_hands_column(h, node);
    const tti_place rows = tti_build_scratch(h->builder, bytes), out = tti_build_scratch(h->builder, bytes);
    for (int source = 0; source < h->size; source++) {
        tti_place from = tti_place_plus(rows, row * (size_t)source);
        if (source == h->place)
            from = row_for(h, node);
        else
            tti_build_recv(h->builder, from, row, tti_hands_member(h, source), tag_of(h, node, TTI_TAG_ROW));
        for (int i = 0; i < tti_hands_ranks(h, node); i++)
            tti_build_copy(h->builder, tti_place_plus(from, h->block * (size_t)i),
                           tti_place_plus(out, h->block * (size_t)(i * h->size + source)), h->block);
    }
    return out;
}

/* What is for the caller's node comes in exchange. */
static tti_place exchange(const tti_hands *h, int node, tti_place out)
{
    const size_t bytes = tti_hands_message(h, node);
    const tti_place in = tti_build_scratch(h->builder, bytes);
    tti_build_send(h->builder, out, bytes, tti_hands_other(h, node), TTI_TAG_HANDS);
    tti_build_recv(h->builder, in, bytes, tti_hands_other(h, node), TTI_TAG_HANDS);
    return in;
}

static void give_columns(const tti_hands *h, int node, tti_place in)
{
    const size_t column = tti_hands_column(h, node);
    for (int i = 0; i < h->size; i++) {
        const tti_place at = tti_place_plus(in, column * (size_t)i);
        if (i == h->place)
            tti_hands_put(h, node, at);
        else
            tti_build_send(h->builder, at, column, tti_hands_member(h, i), tag_of(h, node, TTI_TAG_COLUMN));
    }
}

static void take_column(const tti_hands *h, int node)
{
    const tti_place column = tti_build_scratch(h->builder, tti_hands_column(h, node));
    tti_build_recv(h->builder, column, tti_hands_column(h, node), tti_hands_member(h, node % h->size),
                   tag_of(h, node, TTI_TAG_COLUMN));
    tti_hands_put(h, node, column);
}

/* What the ranks of a node have for each other, in pairs. */
static void exchange_inside(const tti_hands *h)
{
    const int *members = h->map->members + h->map->start[h->node];
    size_t *counts = tti_build_sizes(h->builder, h->size), *offsets = tti_build_sizes(h->builder, h->size);
    if (counts == NULL || offsets == NULL) return;
    for (int i = 0; i < h->size; i++) {
        counts[i] = h->shape->count;
        offsets[i] = h->shape->count * (size_t)members[i];
    }
    tti_shape inside = *h->shape;
    inside.rank = h->place;
    inside.size = h->size;
    inside.parted = true;
    inside.send = inside.recv = (tti_table){counts, offsets};
    tti_build_part(h->builder, members);
    tti_alltoall_messages(&inside, h->builder, (tti_alltoall_short){0, NULL});
    tti_build_whole(h->builder);
}

/* Each gives the hands for each other node a row, and gets a column of them. */
void tti_hands_by_messages(const tti_hands *h)
{
    const int nodes = h->map->nodes;
    for (int b = 0; b < nodes; b++)
        if (b != h->node && b % h->size != h->place)
            tti_build_send(h->builder, row_for(h, b), tti_hands_column(h, b),
                           tti_hands_member(h, b % h->size), tag_of(h, b, TTI_TAG_ROW));
    exchange_inside(h);
    for (int b = h->place; b < nodes; b += h->size)
        if (b != h->node) give_columns(h, b, exchange(h, b, turn(h, b)));
    for (int b = 0; b < nodes; b++)
        if (b != h->node && b % h->size != h->place) take_column(h, b);
}
