/* SPDX-License-Identifier: BSD-3-Clause */
/* By posts alone, on shared memory: all with all, or up and down a tree. */
#include "collectives/barrier/barrier.h"
#include "collectives/patterns/tree.h"

/* Each tells all on shared memory, and waits for all. */
void tti_barrier_window(const tti_shape *shape, tti_builder *builder)
{
    if (shape->size == 1) return;
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
}

/* Up a k-nomial tree to rank 0, then down again: each looks at few words, of which most are of ranks near it,
 * by some passages more. A rank between tells its parent by its first post and its children by its second.
 *
 *   5 ranks, radix 4     1 → 0     2 → 0     3 → 0     4 → 0          0 → 1, 2, 3, 4
 */
void tti_barrier_window_tree(const tti_shape *shape, tti_builder *builder)
{
    tti_tree tree;
    tti_tree_open(shape->rank, shape->size, shape->radix, &tree);
    for (int i = 0; i < tree.children; i++)
        tti_build_await_post(builder, tti_tree_child(&tree, i), 1);
    if (tree.parent >= 0) {
        tti_build_post(builder, tree.parent);
        tti_build_await_post(builder, tree.parent, tree.parent == 0 ? 1 : 2);
    }
    if (tree.children > 0) tti_build_post(builder, TTI_ALL);
}
