/* SPDX-License-Identifier: BSD-3-Clause */
/* Along Bine trees, one for each block, the farthest step first: what little there is goes far, and most of
 * it, in the last rounds, to neighbours. ⌈log2 P⌉ rounds, n(P - 1)β: log P·α + n(P - 1)β. An even number of
 * ranks, since who is odd mirrors who is even; where it is no power of two, what a rank has by another way is
 * left out.
 *
 *   8 ranks, distances 3 1 1, rank 0     start  0·······     round 0  0··3····     round 1  0··34··7
 *                                        round 2  01234567
 *
 * D. De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
 * 2025. */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/by_rounds.h"

void tti_allgather_bine(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_allgather(shape, builder, tti_rounds_bine, 0);
}
