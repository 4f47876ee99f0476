/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a tree to each node's leader, exchange among the leaders, down again inside each node: a node's blocks
 * go over the network together. Blocks may differ in size, as long as all ranks know them all.
 *
 *   3 nodes of 2        gather        exchange           down
 *   ranks 0, 1          01····        012345             012345
 *   ranks 2, 3          ··23··        012345             012345
 *   ranks 4, 5          ····45        012345             012345
 *
 * J. Träff, "Efficient allgather for regular SMP-clusters", 2006. */
#include "collectives/allgather/allgather.h"
#include "collectives/bcast/bcast.h"
#include "collectives/compose/by_node_parts.h"
#include "collectives/compose/by_node_window.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"
#include "collectives/patterns/tree.h"

enum { TAG_UP };
typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_by_node by;
    tti_by_node_parts parts;
    tti_place table; /* of all parts, node by node: OUTPUT where that is the order of ranks, else SCRATCH */
} call;

static size_t start_of(const call *c, int node)
{
    return tti_by_node_part(&c->parts, node).at;
}

static size_t bytes_of(const call *c, int first, int count)
{
    return count == 0 ? 0
                      : start_of(c, first + count - 1) +
                            tti_by_node_part(&c->parts, first + count - 1).bytes - start_of(c, first);
}

/* The parts of the caller's node in the table. */
static tti_place here(const call *c)
{
    return tti_place_plus(c->table, start_of(c, c->by.between.rank));
}

/* Those of the ranks at so many places of the caller's node, from where its parts begin. */
static tti_extent row_of(const call *c, int place, int span)
{
    const tti_extent first = tti_by_node_local(&c->parts, place),
                     last = tti_by_node_local(&c->parts, place + span - 1);
    return (tti_extent){first.at, last.at + last.bytes - first.at};
}

/* Up a tree whose subtrees are neighbours in the table. */
static void gather_up(const call *c)
{
    tti_tree tree;
    tti_tree_open(c->by.inside.rank, c->by.inside.size, c->by.inside.radix, &tree);
    const tti_extent below = row_of(c, tree.rank, tree.span);
    const tti_place mine = tti_place_plus(here(c), below.at);
    tti_build_part(c->builder, c->by.local);
    if (tree.children > 0 || c->by.leads)
        tti_build_copy(c->builder, tti_shape_own_part(c->shape), mine, row_of(c, tree.rank, 1).bytes);
    for (int i = 0; i < tree.children; i++) {
        const int child = tti_tree_child(&tree, i);
        const tti_extent row = row_of(c, child, tti_tree_child_span(&tree, i));
        tti_build_recv(c->builder, tti_place_plus(here(c), row.at), row.bytes, child, TAG_UP);
    }
    if (tree.parent >= 0)
        tti_build_send(c->builder, tree.children > 0 ? mine : tti_shape_own_part(c->shape), below.bytes,
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
static void spread_inside(const call *c)
{
    const int nodes = c->by.between.size;
    tti_shape inside = c->by.inside;
    inside.element = 1;
    tti_build_part(c->builder, c->by.local);
    for (int i = 0; i < nodes; i++) {
        const int node = tti_ring(c->by.between.rank, -i, nodes);
        tti_build_place(c->builder, tti_place_at(TTI_INPUT, 0), tti_place_plus(c->table, start_of(c, node)),
                        TAG_UP + 1 + i, 1);
        inside.count = bytes_of(c, node, 1);
        tti_bcast_knomial(&inside, c->builder);
    }
    tti_build_whole(c->builder);
}

/* On shared memory the ranks of a node show their blocks to each other: the same as by `window`, which finds
 * the caller's own in place. */
static void gather_shared(call *c)
{
    tti_shape inside = c->by.inside;
    const tti_extent mine = tti_by_node_local(&c->parts, inside.rank);
    inside.in_place = inside.parted = true;
    inside.recv = c->parts.local;
    inside.window = tti_by_node_upper(&c->by);
    const size_t most = tti_shape_largest(&inside, &inside.recv);
    const int blocks = most > 0 ? tti_blocks_open(&inside, most, TTI_WINDOW_HALVES).count : 0;
    tti_build_copy(c->builder, tti_shape_own_part(c->shape), tti_place_plus(here(c), mine.at), mine.bytes);
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
    tti_by_node_blocks blocks = tti_by_node_blocks_of(&c->by, tti_by_node_upper(&c->by));
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

static void by_node(const tti_shape *shape, tti_builder *builder, void (*exchange)(const call *))
{
    call c = {.shape = shape, .builder = builder};
    if (!tti_by_node_parts_open(shape, &shape->recv, builder, &c.by, &c.parts)) return;
    c.table = c.parts.in_order ? tti_place_at(TTI_OUTPUT, 0)
                               : tti_build_scratch(builder, tti_by_node_total(&c.parts));
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
    if (!c.parts.in_order) tti_by_node_unsort(&c.parts, builder, c.table, tti_place_at(TTI_OUTPUT, 0));
}

void tti_allgather_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, exchange_bruck);
}

void tti_allgather_by_node_ring(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, exchange_ring);
}
