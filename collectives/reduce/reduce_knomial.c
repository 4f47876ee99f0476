/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/patterns/tree.h"
#include "collectives/reduce/reduce.h"

enum { TAG_UP, TAG_TO_ROOT };

/* Receive buffers in use at once: enough to receive while reducing, and more only while they are small. */
#define LEAST_SLOTS 3
#define SLOTS_BYTES ((size_t)256 << 10)

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t bytes;
    tti_tree tree;
    int turn; /* the rank that is 0 in the tree */
} call;

static int rank_of(const call *c, int v)
{
    return tti_rotate_back(v, c->turn, c->shape->size);
}

static int slots_for(const call *c)
{
    const size_t fitting = SLOTS_BYTES / (c->bytes > 0 ? c->bytes : 1);
    const int slots = fitting < LEAST_SLOTS ? LEAST_SLOTS : fitting > 1024 ? 1024 : (int)fitting;
    return slots < c->tree.children ? slots : c->tree.children;
}

/* Combines the caller's part with its children's, nearest child first: they hold the ranks that follow, in
 * order. The result of each step is where the child's part was received; the last one's can be `last`. */
static tti_place gather_up(const call *c, const tti_place *last)
{
    const int slots = slots_for(c);
    const size_t stride = (c->bytes + 63) & ~(size_t)63;
    const tti_place scratch = tti_build_scratch(c->builder, stride * (size_t)slots);
    tti_place sum = tti_shape_own(c->shape);
    for (int i = 0; i < c->tree.children; i++) {
        tti_place slot = tti_place_plus(scratch, stride * (size_t)(i % slots));
        if (last != NULL && i == c->tree.children - 1 && sum.space != last->space) slot = *last;
        tti_build_recv(c->builder, slot, c->bytes, rank_of(c, tti_tree_child(&c->tree, i)), TAG_UP);
        tti_build_reduce(c->builder, sum, slot, c->bytes);
        sum = slot;
    }
    return sum;
}

/* Up a k-nomial tree. Every subtree is a contiguous range of ranks and children are combined in order, so the
 * operation need not commute.
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
void tti_reduce_knomial(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .bytes = tti_shape_bytes(shape)};
    c.turn = shape->commutes ? shape->root : 0;
    tti_tree_open(tti_rotate(shape->rank, c.turn, shape->size), shape->size, shape->radix, &c.tree);
    const bool root = shape->rank == shape->root;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const bool ends_here = root && c.tree.parent < 0;
    const tti_place sum = gather_up(&c, ends_here ? &output : NULL);
    if (ends_here) {
        tti_build_copy(builder, sum, output, c.bytes);
        return;
    }
    if (c.tree.parent >= 0)
        tti_build_send(builder, sum, c.bytes, rank_of(&c, c.tree.parent), TAG_UP);
    else
        tti_build_send(builder, sum, c.bytes, shape->root, TAG_TO_ROOT);
    if (root) tti_build_recv(builder, output, c.bytes, c.turn, TAG_TO_ROOT);
}
