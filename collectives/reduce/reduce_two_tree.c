/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks go up two binary trees by turns; who combines in the one is a leaf of the other: (2·log P + n/c)(α +
 * c(β + 2γ)). Below a place's children are rows of places, those before it and those behind it, so the
 * operation need not commute: where it does not, the trees hang from rank 0, which passes the result on to
 * the root.
 *
 *   7 ranks, root 0       even chunks   1 ─┬─ 2 ─┬─ 4 ── 0        odd chunks   2 ── 1 ─┬─ 3 ── 0
 *                                       3 ─┘     │                             4 ─┬─ 5 ┘
 *                                       5 ── 6 ──┘                             6 ─┘
 *
 * P. Sanders, J. Speck, J. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * 2009. */
#include "collectives/compose/chunks.h"
#include "collectives/compose/two_tree_up.h"
#include "collectives/reduce/reduce.h"

void tti_reduce_two_tree(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), most = tti_chunk_elements(shape);
    const bool root = shape->rank == shape->root;
    tti_two_tree_up up;
    tti_two_tree_up_open(shape, builder, shape->commutes ? shape->root : 0, &up);
    tti_up_chunk chunk = {0};
    for (; chunk.at < bytes; chunk.at += most, chunk.number++) {
        chunk.bytes = most < bytes - chunk.at ? most : bytes - chunk.at;
        const tti_place output = tti_place_at(TTI_OUTPUT, chunk.at);
        const int parent = up.tree[chunk.number % 2].parent;
        const tti_place sum = tti_two_tree_take(&up, &chunk, root && parent < 0);
        if (parent >= 0)
            tti_build_send(builder, sum, chunk.bytes, tti_two_tree_rank(&up, parent), chunk.number);
        else if (root)
            tti_build_copy(builder, sum, output, chunk.bytes);
        else
            tti_build_send(builder, sum, chunk.bytes, shape->root, chunk.number);
        if (root && parent >= 0 && up.turn != shape->root)
            tti_build_recv(builder, output, chunk.bytes, up.turn, chunk.number);
    }
}
