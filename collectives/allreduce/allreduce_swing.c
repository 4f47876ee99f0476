/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter and allgather of a part for each rank over the distances 1, 1, 3, 5, 11, … to either side in
 * turns: half of the data go to a neighbour, a quarter to the other one, and what goes far is little, as on a
 * ring, but in 2·⌈log2 P⌉ rounds. 2·log P·α + 2n(P - 1)/P·β. An even number of ranks; the operation must
 * commute. Bine trees make the same exchange for large data.
 *
 *   4 ranks, rank 0, parts abcd     reduce: to rank 1 bc, adds to a d; to rank 3 d, adds to a
 *                                   gather: from rank 3 d; from rank 1 bc
 *
 * The paper's other form, of whole messages in ⌈log2 P⌉ rounds, is left out: each rank would combine in
 * another order, so that floating-point results would differ from rank to rank.
 *
 * D. De Sensi et al., "Swing: short-cutting rings for higher bandwidth allreduce", 2024. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/by_rounds.h"

void tti_allreduce_swing(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_allreduce(shape, builder, tti_rounds_bine, 0);
}
