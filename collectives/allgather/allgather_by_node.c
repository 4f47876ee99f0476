/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allgather/allgather.h"
#include "collectives/bcast/bcast.h"
#include "collectives/compose/by_node.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"
#include "collectives/patterns/tree.h"

enum { TAG_UP };
#define HALVES 2 /* of a WINDOW, and of such a half */

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_by_node by;
    size_t block;
    tti_place table; /* of all blocks, node by node: OUTPUT where that is the order of ranks, else SCRATCH */
} call;

/* Bytes of the table before a node. */
static size_t start_of(const call *c, int node)
{
    return c->block * (size_t)c->shape->nodes->start[node];
}

static size_t bytes_of(const call *c, int first, int count)
{
    return start_of(c, first + count) - start_of(c, first);
}

static bool in_rank_order(const tti_shape *shape)
{
    for (int i = 0; i < shape->size; i++)
        if (shape->nodes->members[i] != i) return false;
    return true;
}

/* The blocks of the caller's node in the table. */
static tti_place here(const call *c)
{
    return tti_place_plus(c->table, start_of(c, c->by.between.rank));
}

static tti_place own(const call *c)
{
    const size_t before = c->shape->in_place ? c->block * (size_t)c->shape->rank : 0;
    return tti_place_plus(tti_shape_own(c->shape), before);
}

/* Up a tree whose subtrees are neighbours in the table. */
static void gather_up(const call *c)
{
    tti_tree tree;
    tti_tree_open(c->by.inside.rank, c->by.inside.size, c->by.inside.radix, &tree);
    const tti_place mine = tti_place_plus(here(c), c->block * (size_t)tree.rank);
    tti_build_part(c->builder, c->by.local);
    if (tree.children > 0 || c->by.leads) tti_build_copy(c->builder, own(c), mine, c->block);
    for (int i = 0; i < tree.children; i++)
        tti_build_recv(c->builder, tti_place_plus(here(c), c->block * (size_t)tti_tree_child(&tree, i)),
                       c->block * (size_t)tti_tree_child_span(&tree, i), tti_tree_child(&tree, i), TAG_UP);
    if (tree.parent >= 0)
        tti_build_send(c->builder, tree.children > 0 ? mine : own(c), c->block * (size_t)tree.span,
                       tree.parent, TAG_UP);
}

/* The blocks of `count` nodes from `first` on go to or come from a leader; beyond the last node they go on
 * with the first, in a second message. */
static void pass(const call *c, bool sends, int first, int count, int peer, int tag)
{
    const int nodes = c->by.between.size;
    const int straight = count < nodes - first ? count : nodes - first;
    for (int piece = 0; piece < 2; piece++) {
        const int from = piece == 0 ? first : 0, n = piece == 0 ? straight : count - straight;
        const tti_place place = tti_place_plus(c->table, start_of(c, from));
        if (sends)
            tti_build_send(c->builder, place, bytes_of(c, from, n), peer, tag + piece);
        else
            tti_build_recv(c->builder, place, bytes_of(c, from, n), peer, tag + piece);
    }
}

/* Bruck's algorithm with blocks of differing sizes, straight into place. */
static void exchange_bruck(const call *c)
{
    const int nodes = c->by.between.size, node = c->by.between.rank, radix = c->shape->radix;
    const int count = tti_radix_count(nodes, radix);
    for (int i = 0; i < count; i++) {
        const int distance = (int)tti_radix_distance(i, radix);
        const int64_t have = tti_radix_power(radix, tti_radix_round(i, radix));
        const int blocks = have < nodes - distance ? (int)have : nodes - distance;
        const int after = tti_ring(node, distance, nodes);
        pass(c, true, node, blocks, tti_ring(node, -distance, nodes), 2 * i);
        pass(c, false, after, blocks, after, 2 * i);
    }
}

static void exchange_ring(const call *c)
{
    const int nodes = c->by.between.size, node = c->by.between.rank;
    for (int t = 0; t < nodes - 1; t++) {
        pass(c, true, tti_ring(node, -t, nodes), 1, tti_ring(node, 1, nodes), 2 * t);
        pass(c, false, tti_ring(node, -t - 1, nodes), 1, tti_ring(node, -1, nodes), 2 * t);
    }
}

/* Each node's blocks down the tree inside the caller's node, as they come. */
static void spread_inside(call *c)
{
    const int nodes = c->by.between.size;
    tti_build_part(c->builder, c->by.local);
    for (int i = 0; i < nodes; i++) {
        const int node = tti_ring(c->by.between.rank, -i, nodes);
        tti_build_place(c->builder, tti_place_at(TTI_INPUT, 0), tti_place_plus(c->table, start_of(c, node)),
                        TAG_UP + 1 + i, 1);
        c->by.inside.count = bytes_of(c, node, 1);
        tti_bcast_knomial(&c->by.inside, c->builder);
    }
    tti_build_whole(c->builder);
}

/* On shared memory the ranks of a node show their blocks to each other: the same as by `window`, which finds
 * the caller's own in place. */
static void gather_shared(call *c)
{
    tti_shape inside = c->by.inside;
    inside.in_place = true;
    inside.window /= HALVES;
    const int blocks = tti_window_open(&inside, c->block, HALVES).count;
    tti_build_copy(c->builder, own(c), tti_place_plus(here(c), c->block * (size_t)inside.rank), c->block);
    tti_build_part(c->builder, c->by.local);
    tti_build_place(c->builder, tti_place_at(TTI_INPUT, 0), here(c), 0, 1);
    tti_allgather_window(&inside, c->builder);
    tti_build_whole(c->builder);
    c->by.lead_posts += blocks;
    c->by.other_posts += blocks;
}

/* What the leader has of other nodes, as it comes; all of it at once where that is but one block. */
static void spread_shared(const call *c)
{
    const int nodes = c->by.between.size;
    const size_t all = bytes_of(c, 0, nodes);
    tti_by_node_blocks blocks = tti_by_node_blocks_of(&c->by, c->by.inside.window / HALVES);
    if (all <= blocks.block) {
        tti_by_node_count(&blocks, all);
        tti_by_node_pass(&c->by, c->builder, &blocks, c->table, all);
    }
    for (int i = 1; all > blocks.block && i < nodes; i++)
        tti_by_node_count(&blocks, bytes_of(c, tti_ring(c->by.between.rank, -i, nodes), 1));
    for (int i = 1; all > blocks.block && i < nodes; i++) {
        const int node = tti_ring(c->by.between.rank, -i, nodes);
        tti_by_node_pass(&c->by, c->builder, &blocks, tti_place_plus(c->table, start_of(c, node)),
                         bytes_of(c, node, 1));
    }
    tti_build_whole(c->builder);
}

/* From the order of nodes into that of ranks, runs at a time. */
static void sort_out(const call *c)
{
    const int *members = c->shape->nodes->members;
    for (int i = 0, n; i < c->shape->size; i += n) {
        for (n = 1; i + n < c->shape->size && members[i + n] == members[i] + n;)
            n++;
        tti_build_copy(c->builder, tti_place_plus(c->table, c->block * (size_t)i),
                       tti_place_at(TTI_OUTPUT, c->block * (size_t)members[i]), c->block * (size_t)n);
    }
}

/* Up a tree to each node's leader, exchange among the leaders, down again inside each node: a node's blocks
 * go over the network together.
 *
 *   3 nodes of 2        gather        exchange           down
 *   ranks 0, 1          01····        012345             012345
 *   ranks 2, 3          ··23··        012345             012345
 *   ranks 4, 5          ····45        012345             012345
 *
 * J. Träff, "Efficient allgather for regular SMP-clusters", 2006. */
static void by_node(const tti_shape *shape, tti_builder *builder, void (*exchange)(const call *))
{
    call c = {.shape = shape, .builder = builder, .block = tti_shape_bytes(shape)};
    if (!tti_by_node_open(shape, builder, &c.by)) return;
    c.table = in_rank_order(shape) ? tti_place_at(TTI_OUTPUT, 0)
                                   : tti_build_scratch(builder, c.block * (size_t)shape->size);
    const bool shares = c.by.inside.window > 0;
    if (shares)
        gather_shared(&c);
    else
        gather_up(&c);
    if (c.by.leads) {
        tti_build_part(builder, c.by.leaders);
        exchange(&c);
    }
    if (shares)
        spread_shared(&c);
    else
        spread_inside(&c);
    sort_out(&c);
}

void tti_allgather_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, exchange_bruck);
}

void tti_allgather_by_node_ring(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, exchange_ring);
}
