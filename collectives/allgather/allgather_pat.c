/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel aggregated trees: each block goes down a binomial tree of its own, all trees at once, the farthest
 * step first, and a message has as many blocks as a chunk holds. So what goes far is little, and most of the
 * data move between neighbours; with blocks of a chunk or more each goes by itself, and none waits for
 * another. log P·α + n(P - 1)β where a chunk holds all of a round, and any P. Blocks may differ in size, as
 * long as all ranks know them all.
 *
 *   6 ranks, rank 5     start  5·····     by 4  51····     by 2  5131···     by 1  513402
 *                                         (5 gets the block of 1, then of 3, then those of 4, 0 and 2)
 *
 * S. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale", 2025 (arXiv
 * 2506.20252). */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/by_rounds.h"

void tti_allgather_pat(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_allgather(shape, builder, tti_rounds_far, shape->chunk);
}
