/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a k-nomial tree turned to the root, largest subtree first: a rank gets the blocks of its whole subtree
 * in one message, from the root in two where it goes on with rank 0 beyond the last. Blocks may differ in
 * size, as long as all ranks know them all and they lie one after the other at the root. log_k P·α + n(P -
 * 1)β at the root: for small blocks.
 *
 *   8 ranks, root 0, radix 2     round 1   0→4: 4567
 *                                round 2   0→2: 23             4→6: 67
 *                                round 3   0→1: 1    2→3: 3    4→5: 5    6→7: 7
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (binomial tree). */
#include "collectives/compose/turned_rows.h"
#include "collectives/scatter/scatter.h"

/* And the tag after it, for what goes on with rank 0. */
enum { TAG_DOWN };

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_tree tree;
} call;

/* Of the ranks that the root sees as v … v + span - 1. */
static size_t bytes_of(const call *c, int v, int span)
{
    return tti_turned_bytes(c->shape, &c->shape->send, v, span);
}

static int rank_of(const call *c, int v)
{
    return tti_rotate_back(v, c->shape->root, c->shape->size);
}

/* From the root: a subtree's blocks straight from their places. */
static void give_from_place(const call *c, int v, int span)
{
    const tti_place all = tti_shape_own(c->shape);
    tti_extent row[2];
    tti_turned_rows(c->shape, &c->shape->send, v, span, row);
    for (int i = 0; i < 2; i++)
        tti_build_send(c->builder, tti_place_plus(all, row[i].at), row[i].bytes, rank_of(c, v), TAG_DOWN + i);
}

static void begin_at_root(const call *c)
{
    const tti_extent mine = tti_shape_sent(c->shape, c->shape->rank);
    for (int i = c->tree.children - 1; i >= 0; i--)
        give_from_place(c, tti_tree_child(&c->tree, i), tti_tree_child_span(&c->tree, i));
    if (!c->shape->in_place)
        tti_build_copy(c->builder, tti_place_at(TTI_INPUT, mine.at), tti_place_at(TTI_OUTPUT, 0), mine.bytes);
}

/* The blocks of the caller's subtree, in as many messages as the root gives them in. */
static void take(const call *c, tti_place all)
{
    const tti_tree *tree = &c->tree;
    const int parent = rank_of(c, tree->parent);
    if (tree->parent != 0) {
        tti_build_recv(c->builder, all, bytes_of(c, tree->rank, tree->span), parent, TAG_DOWN);
        return;
    }
    tti_extent row[2];
    tti_turned_rows(c->shape, &c->shape->send, tree->rank, tree->span, row);
    for (int i = 0; i < 2; i++) {
        tti_build_recv(c->builder, all, row[i].bytes, parent, TAG_DOWN + i);
        all = tti_place_plus(all, row[i].bytes);
    }
}

static void pass_on(const call *c)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const int v = c->tree.rank;
    if (c->tree.children == 0) {
        take(c, output);
        return;
    }
    const tti_place all = tti_build_scratch(c->builder, bytes_of(c, v, c->tree.span));
    take(c, all);
    for (int i = c->tree.children - 1; i >= 0; i--) {
        const int child = tti_tree_child(&c->tree, i);
        tti_build_send(c->builder, tti_place_plus(all, bytes_of(c, v, child - v)),
                       bytes_of(c, child, tti_tree_child_span(&c->tree, i)), rank_of(c, child), TAG_DOWN);
    }
    tti_build_copy(c->builder, all, output, bytes_of(c, v, 1));
}

void tti_scatter_knomial(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder};
    tti_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, shape->radix, &c.tree);
    if (c.tree.parent < 0)
        begin_at_root(&c);
    else
        pass_on(&c);
}
