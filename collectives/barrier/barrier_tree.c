/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree to rank 0, then down again: the fewest messages, twice the rounds. 2·log_k P rounds and
 * 2(P - 1) messages in all.
 *
 *   5 ranks, radix 2     up: 1→0, 3→2, 2→0, 4→0      down: 0→4, 0→2, 0→1, 2→3
 *
 * E. Brooks, "The butterfly barrier", 1986, discusses it as the central counter's tree. */
#include "collectives/barrier/barrier.h"
#include "collectives/patterns/tree.h"

enum { TAG_UP, TAG_DOWN };

void tti_barrier_tree(const tti_shape *shape, tti_builder *builder)
{
    tti_tree tree;
    tti_tree_open(shape->rank, shape->size, shape->radix, &tree);
    for (int i = 0; i < tree.children; i++) /* steps 0 … children - 1 */
        tti_build_await(builder, tti_tree_child(&tree, i), TAG_UP);
    int released = -1;
    if (tree.parent >= 0) {
        tti_build_signal(builder, tree.parent, TAG_UP);
        for (int i = 0; i < tree.children; i++)
            tti_build_after(builder, i);
        released = tti_build_await(builder, tree.parent, TAG_DOWN);
    }
    for (int c = tree.children - 1; c >= 0; c--) {
        tti_build_signal(builder, tti_tree_child(&tree, c), TAG_DOWN);
        for (int i = 0; released < 0 && i < tree.children; i++)
            tti_build_after(builder, i);
        tti_build_after(builder, released);
    }
}
