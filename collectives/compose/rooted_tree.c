/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are named as the root sees them, which is 0 itself. What goes up one way goes down the same way
 * backwards: each step is written once, and who gives and who takes in it follows from the direction. */
#include "collectives/compose/rooted_tree.h"

#include "collectives/patterns/turned.h"

/* And the tag after it, for what goes on with rank 0. */
enum { TAG };

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_table *table; /* of all parts */
    bool up;
    tti_tree tree;
    tti_place own; /* the caller's part, as it gives or gets it */
    tti_place all; /* those of its subtree: at the root in their places, else one after the other */
} call;

static bool is_root(const call *c)
{
    return c->tree.parent < 0;
}

/* The parts of v … v + span - 1, as they lie at the root: in two rows, of which the second may be empty. */
static void find_rows(const call *c, int v, int span, tti_extent row[2])
{
    tti_rank_row ranks[2];
    tti_turned_rows_of(v, span, c->shape->root, c->shape->size, ranks);
    for (int i = 0; i < 2; i++)
        row[i] = tti_shape_row(c->shape, c->table, ranks[i].first, ranks[i].count);
}

static size_t bytes_of(const call *c, int v, int span)
{
    tti_extent row[2];
    find_rows(c, v, span, row);
    return row[0].bytes + row[1].bytes;
}

/* Between the caller and v, its parent or a child. */
static void pass(const call *c, int v, tti_place at, size_t bytes, int tag)
{
    const int peer = tti_rotate_back(v, c->shape->root, c->shape->size);
    if ((v == c->tree.parent) == c->up)
        tti_build_send(c->builder, at, bytes, peer, tag);
    else
        tti_build_recv(c->builder, at, bytes, peer, tag);
}

/* At the root as two messages, straight from their places, or into them. */
static void pass_child(const call *c, int child, int span)
{
    tti_extent row[2];
    find_rows(c, child, span, row);
    if (is_root(c)) {
        pass(c, child, tti_place_plus(c->all, row[0].at), row[0].bytes, TAG);
        pass(c, child, tti_place_plus(c->all, row[1].at), row[1].bytes, TAG + 1);
    } else {
        const size_t before = bytes_of(c, c->tree.rank, child - c->tree.rank);
        pass(c, child, tti_place_plus(c->all, before), row[0].bytes + row[1].bytes, TAG);
    }
}

/* From the children the smallest subtree first, which is complete first; to them the largest first. */
static void pass_children(const call *c)
{
    const tti_tree *tree = &c->tree;
    for (int n = 0; n < tree->children; n++) {
        const int index = c->up ? n : tree->children - 1 - n;
        pass_child(c, tti_tree_child(tree, index), tti_tree_child_span(tree, index));
    }
}

/* In as many messages as the parent has them in. */
static void pass_parent(const call *c)
{
    const tti_tree *tree = &c->tree;
    if (is_root(c)) return;
    tti_extent row[2];
    find_rows(c, tree->rank, tree->span, row);
    if (tree->parent != 0) {
        pass(c, tree->parent, c->all, row[0].bytes + row[1].bytes, TAG);
        return;
    }
    pass(c, 0, c->all, row[0].bytes, TAG);
    pass(c, 0, tti_place_plus(c->all, row[0].bytes), row[1].bytes, TAG + 1);
}

/* Between where the caller has its part and its place among all. */
static void copy_own(const call *c)
{
    const tti_extent part = tti_shape_part(c->shape, c->table, c->shape->rank);
    const tti_place place = tti_place_plus(c->all, is_root(c) ? part.at : 0);
    if (is_root(c) && c->shape->in_place) return;
    tti_build_copy(c->builder, c->up ? c->own : place, c->up ? place : c->own, part.bytes);
}

static void open_call(call *c)
{
    const tti_shape *shape = c->shape;
    tti_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, shape->radix, &c->tree);
    c->own = tti_place_at(c->up ? TTI_INPUT : TTI_OUTPUT, 0);
    if (is_root(c))
        c->all = c->up ? tti_place_at(TTI_OUTPUT, 0) : tti_shape_own(shape);
    else if (c->tree.children == 0)
        c->all = c->own;
    else
        c->all = tti_build_scratch(c->builder, bytes_of(c, c->tree.rank, c->tree.span));
}

void tti_rooted_tree_up(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .table = &shape->recv, .up = true};
    open_call(&c);
    copy_own(&c);
    pass_children(&c);
    pass_parent(&c);
}

void tti_rooted_tree_down(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .table = &shape->send};
    open_call(&c);
    pass_parent(&c);
    pass_children(&c);
    copy_own(&c);
}
