/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a k-nomial tree, whole messages, largest subtree first. log_k P rounds, (k - 1)·log_k P·(α + nβ) at
 * the root: for short messages.
 *
 *   8 ranks, root 0, radix 2       0 ─┬─ 4 ─┬─ 6 ── 7        round 1: 0→4
 *                                     │     └─ 5             round 2: 0→2 4→6
 *                                     ├─ 2 ── 3              round 3: 0→1 2→3 4→5 6→7
 *                                     └─ 1
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * 2005; general radix: K. Venkata et al., "A generalization of the allreduce operation", 2020, and others. */
#include "collectives/bcast/bcast.h"
#include "collectives/patterns/tree.h"

void tti_bcast_knomial(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place buffer = tti_place_at(TTI_OUTPUT, 0);
    tti_tree tree;
    tti_tree_open(tti_rotate(shape->rank, shape->root, shape->size), shape->size, shape->radix, &tree);
    if (tree.parent >= 0)
        tti_build_recv(builder, buffer, bytes, tti_rotate_back(tree.parent, shape->root, shape->size), 0);
    for (int c = tree.children - 1; c >= 0; c--)
        tti_build_send(builder, buffer, bytes,
                       tti_rotate_back(tti_tree_child(&tree, c), shape->root, shape->size), 0);
}
