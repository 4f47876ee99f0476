/* SPDX-License-Identifier: BSD-3-Clause */
/* Along Bine trees, one for each block, as allgather's algorithm of this name backwards: half of the blocks
 * go to a neighbour first, and little goes far. ⌈log2 P⌉ rounds, log P·α + n(P - 1)(β + γ). An even number of
 * ranks; the operation must commute, as sums are not over ranks in a row.
 *
 *   8 ranks, distances 1 1 3, rank 0     sends 1, 2, 5, 6, adds to 0, 3, 4, 7     sends 7, 4, adds to 0, 3
 *                                        sends 3, adds to 0
 *
 * D. De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
 * 2025. */
#include "collectives/compose/by_rounds.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

void tti_reduce_scatter_block_bine(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_reduce_scatter(shape, builder, tti_rounds_bine, 0);
}
