/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree. Every subtree is a contiguous range of ranks and children are combined in order, so the
 * operation need not commute. log_k P rounds, (k - 1)·log_k P·(α + n(β + γ)) at the root: for short data.
 *
 *   5 ranks, radix 2      4 ────────────┐
 *                         3 ── 2 ──────┐│
 *                         1 ──────────┐││
 *                                     0      ((r0 ∘ r1) ∘ (r2 ∘ r3)) ∘ r4
 *
 * Where the operation commutes the tree is turned so that the root is its rank 0; where it does not, rank 0
 * sends the result on to the root.
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005.
 */
#include "collectives/patterns/tree.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/tree_up.h"

enum { TAG_TO_ROOT = TTI_TAG_TREE_UP + 1 };

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_tree tree;
    int turn; /* the rank that is 0 in the tree */
} call;

static int rank_of(const call *c, int v)
{
    return tti_rotate_back(v, c->turn, c->shape->size);
}

/* Nearest child first: they hold the ranks that follow, in order. */
static tti_place gather_up(const call *c, const tti_place *last)
{
    int children[TTI_TREE_UP_MOST];
    for (int i = 0; i < c->tree.children; i++)
        children[i] = rank_of(c, tti_tree_child(&c->tree, i));
    return tti_tree_up(c->shape, c->builder, children, c->tree.children, last);
}

void tti_reduce_knomial(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    call c = {.shape = shape, .builder = builder};
    c.turn = shape->commutes ? shape->root : 0;
    tti_tree_open(tti_rotate(shape->rank, c.turn, shape->size), shape->size, shape->radix, &c.tree);
    const bool root = shape->rank == shape->root;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const bool ends_here = root && c.tree.parent < 0;
    const tti_place sum = gather_up(&c, ends_here ? &output : NULL);
    if (ends_here) {
        tti_build_copy(builder, sum, output, bytes);
        return;
    }
    if (c.tree.parent >= 0)
        tti_build_send(builder, sum, bytes, rank_of(&c, c.tree.parent), TTI_TAG_TREE_UP);
    else
        tti_build_send(builder, sum, bytes, shape->root, TAG_TO_ROOT);
    if (root) tti_build_recv(builder, output, bytes, c.turn, TAG_TO_ROOT);
}
