/* SPDX-License-Identifier: BSD-3-Clause */
/* On a circulant graph, as allgather's algorithm of this name backwards: blocks are sorted from the caller's
 * own on; with the greatest skip first, the sums of the blocks from there on go to the rank as far beyond,
 * and what comes is added to the first ones. ⌈log2 P⌉ rounds for any P, (P - 1)n bytes sent and combined:
 * log P·α + n(P - 1)(β + γ). Sums go around the ring, so the operation must commute. Blocks may differ in
 * size, as long as all ranks know them all.
 *
 *   5 ranks, skips 1 2 3, rank 1, blocks from 1 on     round 2  12340 sends 40, adds to 12
 *                                                      round 1  123·· sends 3, adds to 1
 *                                                      round 0  12··· sends 2, adds to 1
 *
 * J. Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", 2024 (arXiv 2410.14234). */
#include "collectives/compose/by_rounds.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

void tti_reduce_scatter_block_circulant(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_reduce_scatter(shape, builder, tti_rounds_circulant, 0);
}
