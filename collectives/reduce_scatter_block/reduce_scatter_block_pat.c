/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel aggregated trees: sums of each block go up a binomial tree of its own, as allgather's algorithm of
 * this name backwards: most of the data move between neighbours, in the first round, and little goes far. In
 * messages of at most a chunk, or a block. log P·α + n(P - 1)(β + γ) where a chunk holds all of a round, and
 * any P. The operation must commute, as sums are not over ranks in a row.
 *
 *   4 ranks, rank 0     by 1  gives 1 and 3 to 3, adds to 0 and 2 of 1     by 2  gives 2 to 2, adds to 0 of 2
 *
 * S. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale", 2025 (arXiv
 * 2506.20252). */
#include "collectives/compose/by_rounds.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

void tti_reduce_scatter_block_pat(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_reduce_scatter(shape, builder, tti_rounds_far, shape->chunk);
}
