/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks go down two binary trees by turns. Who has children in the one is a leaf of the other, so each rank
 * sends about as much as it receives: (2·log P + n/c)(α + cβ), where one binary tree needs 2n/c, and a chain
 * P rounds.
 *
 *   7 ranks, root 0       even chunks   0 ── 4 ─┬─ 2 ─┬─ 1        odd chunks   0 ── 3 ─┬─ 1 ── 2
 *                                               │     └─ 3                             └─ 5 ─┬─ 4
 *                                               └─ 6 ── 5                                    └─ 6
 *
 * P. Sanders, J. Speck, J. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan",
 * 2009. */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/tree.h"
#include "collectives/patterns/two_tree.h"

void tti_bcast_two_tree(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_bytes(shape);
    const int root = shape->root, size = shape->size, place = tti_rotate(shape->rank, root, size);
    const tti_two_tree trees[] = {tti_two_tree_at(place, size, 0), tti_two_tree_at(place, size, 1)};
    int number = 0;
    for (size_t at = 0; at < bytes; at += chunk, number++) {
        const tti_two_tree *tree = &trees[number % 2];
        const size_t n = chunk < bytes - at ? chunk : bytes - at;
        const tti_place here = tti_place_at(TTI_OUTPUT, at);
        if (tree->parent >= 0)
            tti_build_recv(builder, here, n, tti_rotate_back(tree->parent, root, size), number);
        if (tree->low >= 0) tti_build_send(builder, here, n, tti_rotate_back(tree->low, root, size), number);
        if (tree->high >= 0)
            tti_build_send(builder, here, n, tti_rotate_back(tree->high, root, size), number);
    }
}
