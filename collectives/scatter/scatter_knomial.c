/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a k-nomial tree turned to the root, largest subtree first: a rank gets the blocks of its whole subtree
 * in one message. log_k P·α + n(P - 1)β at the root: for small blocks.
 *
 *   8 ranks, root 0, radix 2     round 1   0→4: 4567
 *                                round 2   0→2: 23             4→6: 67
 *                                round 3   0→1: 1    2→3: 3    4→5: 5    6→7: 7
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (binomial tree). */
#include "collectives/compose/rooted_tree.h"
#include "collectives/scatter/scatter.h"

void tti_scatter_knomial(const tti_shape *shape, tti_builder *builder)
{
    tti_rooted_tree_down(shape, builder);
}
