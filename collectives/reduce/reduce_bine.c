/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole messages up a Bine tree, which bcast's algorithm of this name draws: ⌈log2 P⌉ rounds, log P·(α + nβ +
 * nγ), over distances of two thirds of a binomial tree's; of an odd number of ranks ⌈log2 (P - 1)⌉ + 1
 * rounds. Subtrees are no rows of ranks, so the operation must commute.
 *
 *   8 ranks, root 0       5 ── 4 ─┬─ 3 ─┬─ 0          round 0: 1→0 6→7 2→3 5→4
 *                              2 ─┘     │             round 1: 7→0 4→3
 *                              6 ── 7 ──┤             round 2: 3→0
 *                                   1 ──┘
 *
 * D. De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
 * 2025. */
#include "collectives/patterns/bine.h"
#include "collectives/patterns/tree.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/tree_up.h"

void tti_reduce_bine(const tti_shape *shape, tti_builder *builder)
{
    const int size = shape->size, root = shape->root;
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    int *memory = tti_build_numbers(builder, TTI_BINE_NUMBERS(size));
    if (memory == NULL) return;
    tti_bine_tree tree;
    tti_bine_tree_open(tti_rotate(shape->rank, root, size), size, memory, &tree);
    int children[TTI_BINE_STEPS + 1]; /* the nearest, with the smallest subtree, first */
    for (int i = 0; i < tree.children; i++)
        children[i] = tti_rotate_back(tree.child[tree.children - 1 - i], root, size);
    const tti_place sum =
        tti_tree_up(shape, builder, children, tree.children, tree.parent < 0 ? &output : NULL);
    if (tree.parent >= 0)
        tti_build_send(builder, sum, bytes, tti_rotate_back(tree.parent, root, size), TTI_TAG_TREE_UP);
    else
        tti_build_copy(builder, sum, output, bytes);
}
