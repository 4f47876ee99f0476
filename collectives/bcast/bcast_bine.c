/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole messages down a Bine tree, a binomial tree over negabinary numbers: ⌈log2 P⌉ rounds, log P·(α + nβ),
 * as down a binomial tree, but over distances of two thirds, so that less leaves a group of neighbours. Of an
 * odd number of ranks the last one gets it from the root first: ⌈log2 (P - 1)⌉ + 1 rounds.
 *
 *   8 ranks, root 0       0 ─┬─ 3 ─┬─ 4 ── 5          round 0: 0→3
 *                            │     └─ 2               round 1: 0→7 3→4
 *                            ├─ 7 ── 6                round 2: 0→1 7→6 3→2 4→5
 *                            └─ 1
 *
 * D. De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
 * 2025. */
#include "collectives/bcast/bcast.h"
#include "collectives/patterns/bine.h"
#include "collectives/patterns/tree.h"

void tti_bcast_bine(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place buffer = tti_place_at(TTI_OUTPUT, 0);
    int *memory = tti_build_numbers(builder, TTI_BINE_NUMBERS(shape->size));
    if (memory == NULL) return;
    tti_bine_tree tree;
    tti_bine_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, memory, &tree);
    if (tree.parent >= 0)
        tti_build_recv(builder, buffer, bytes, tti_rotate_back(tree.parent, shape->root, shape->size), 0);
    for (int i = 0; i < tree.children; i++)
        tti_build_send(builder, buffer, bytes, tti_rotate_back(tree.child[i], shape->root, shape->size), 0);
}
