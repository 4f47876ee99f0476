/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree turned to the root, whose subtrees are ranks in a row (beyond the last rank they go on
 * with rank 0): what a rank has got goes on as one message, to the root as two where it goes on with rank 0.
 * Blocks may differ in size, as long as all ranks know them all and they lie one after the other at the root.
 * log_k P·α + n(P - 1)β at the root: for small blocks.
 *
 *   8 ranks, root 0, radix 2     round 1   1→0: 1    3→2: 3    5→4: 5    7→6: 7
 *                                round 2   2→0: 23             6→4: 67
 *                                round 3   4→0: 4567
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (binomial tree). */
#include "collectives/compose/turned_rows.h"
#include "collectives/gather/gather.h"

/* And the tag after it, for what goes on with rank 0. */
enum { TAG_UP };

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_tree tree;
} call;

/* Of the ranks that the root sees as v … v + span - 1. */
static size_t bytes_of(const call *c, int v, int span)
{
    return tti_turned_bytes(c->shape, &c->shape->recv, v, span);
}

static int rank_of(const call *c, int v)
{
    return tti_rotate_back(v, c->shape->root, c->shape->size);
}

/* At the root: a subtree's blocks straight into their places. */
static void take_in_place(const call *c, int v, int span)
{
    tti_extent row[2];
    tti_turned_rows(c->shape, &c->shape->recv, v, span, row);
    for (int i = 0; i < 2; i++)
        tti_build_recv(c->builder, tti_place_at(TTI_OUTPUT, row[i].at), row[i].bytes, rank_of(c, v),
                       TAG_UP + i);
}

static void end_at_root(const call *c)
{
    const tti_extent mine = tti_shape_received(c->shape, c->shape->rank);
    if (!c->shape->in_place)
        tti_build_copy(c->builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, mine.at), mine.bytes);
    for (int i = 0; i < c->tree.children; i++)
        take_in_place(c, tti_tree_child(&c->tree, i), tti_tree_child_span(&c->tree, i));
}

/* The blocks of the caller's subtree, one after the other. */
static tti_place collect(const call *c)
{
    const tti_place own = tti_place_at(TTI_INPUT, 0);
    if (c->tree.children == 0) return own;
    const int v = c->tree.rank;
    const tti_place all = tti_build_scratch(c->builder, bytes_of(c, v, c->tree.span));
    tti_build_copy(c->builder, own, all, bytes_of(c, v, 1));
    for (int i = 0; i < c->tree.children; i++) {
        const int child = tti_tree_child(&c->tree, i);
        tti_build_recv(c->builder, tti_place_plus(all, bytes_of(c, v, child - v)),
                       bytes_of(c, child, tti_tree_child_span(&c->tree, i)), rank_of(c, child), TAG_UP);
    }
    return all;
}

/* To the root in as many messages as it takes them in. */
static void give(const call *c, tti_place all)
{
    const tti_tree *tree = &c->tree;
    const int parent = rank_of(c, tree->parent);
    if (tree->parent != 0) {
        tti_build_send(c->builder, all, bytes_of(c, tree->rank, tree->span), parent, TAG_UP);
        return;
    }
    tti_extent row[2];
    tti_turned_rows(c->shape, &c->shape->recv, tree->rank, tree->span, row);
    for (int i = 0; i < 2; i++) {
        tti_build_send(c->builder, all, row[i].bytes, parent, TAG_UP + i);
        all = tti_place_plus(all, row[i].bytes);
    }
}

void tti_gather_knomial(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder};
    tti_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, shape->radix, &c.tree);
    if (c.tree.parent < 0)
        end_at_root(&c);
    else
        give(&c, collect(&c));
}
