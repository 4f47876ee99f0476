/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree turned to the root: what a rank has got goes on as one message. log_k P·α + n(P - 1)β at
 * the root: for small blocks.
 *
 *   8 ranks, root 0, radix 2     round 1   1→0: 1    3→2: 3    5→4: 5    7→6: 7
 *                                round 2   2→0: 23             6→4: 67
 *                                round 3   4→0: 4567
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (binomial tree). */
#include "collectives/compose/rooted_tree.h"
#include "collectives/gather/gather.h"

void tti_gather_knomial(const tti_shape *shape, tti_builder *builder)
{
    tti_rooted_tree_up(shape, builder);
}
