/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatter down a k-nomial tree, then allgather around a ring: each rank sends about twice the message
 * however many ranks there are.
 *
 *   4 ranks, root 0        scatter     ring 1     ring 2     ring 3
 *   rank 0                 abcd        ·          ·          ·
 *   rank 1                 ·b··        ab··       ab·d       abcd
 *   rank 2                 ··cd        ·bcd       abcd       ·
 *   rank 3                 ···d        ··cd       ·bcd       abcd
 *
 * M. Barnett et al. (van de Geijn), "Interprocessor collective communication library", 1994; leaving out what
 * the neighbour has: H. Zhou et al., "A bandwidth-saving optimization for MPI broadcast", 2015. */
#include "collectives/bcast/bcast.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/tree.h"

enum { TAG_SCATTER = 0, TAG_RING = 1 };

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t bytes;
} call;

static tti_place part(const call *c, int index)
{
    return tti_place_at(TTI_OUTPUT, tti_part_start(c->bytes, c->shape->size, index));
}

static size_t parts_bytes(const call *c, int first, int count)
{
    return tti_part_start(c->bytes, c->shape->size, first + count) -
           tti_part_start(c->bytes, c->shape->size, first);
}

/* Rank v of the tree ends with parts v … v + span - 1. */
static void scatter(const call *c, const tti_tree *tree)
{
    const int root = c->shape->root, size = c->shape->size;
    if (tree->parent >= 0)
        tti_build_recv(c->builder, part(c, tree->rank), parts_bytes(c, tree->rank, tree->span),
                       tti_rotate_back(tree->parent, root, size), TAG_SCATTER);
    for (int i = tree->children - 1; i >= 0; i--) {
        const int child = tti_tree_child(tree, i);
        tti_build_send(c->builder, part(c, child), parts_bytes(c, child, tti_tree_child_span(tree, i)),
                       tti_rotate_back(child, root, size), TAG_SCATTER);
    }
}

static bool has(const tti_tree *tree, int part_index)
{
    return part_index >= tree->rank && part_index < tree->rank + tree->span;
}

/* In step t rank v passes part v - t on; parts that the neighbour has from the scatter are left out. */
static void ring(const call *c, const tti_tree *mine)
{
    const int size = c->shape->size, v = mine->rank;
    const int right = tti_ring(v, 1, size), left = tti_ring(v, -1, size);
    tti_tree theirs;
    tti_tree_open(right, size, c->shape->radix, &theirs);
    for (int t = 0; t < size - 1; t++) {
        const int out = tti_ring(v, -t, size), in = tti_ring(v, -t - 1, size);
        if (!has(&theirs, out))
            tti_build_send(c->builder, part(c, out), parts_bytes(c, out, 1),
                           tti_rotate_back(right, c->shape->root, size), TAG_RING + t);
        if (!has(mine, in))
            tti_build_recv(c->builder, part(c, in), parts_bytes(c, in, 1),
                           tti_rotate_back(left, c->shape->root, size), TAG_RING + t);
    }
}

void tti_bcast_scatter_ring(const tti_shape *shape, tti_builder *builder)
{
    const call c = {shape, builder, tti_shape_bytes(shape)};
    tti_tree tree;
    tti_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, shape->radix, &tree);
    scatter(&c, &tree);
    ring(&c, &tree);
}
