/* SPDX-License-Identifier: BSD-3-Clause */
/* On a circulant graph: with skips 1 = s0, s1, … each half of the next, rounded up, a rank gets in round k
 * from the rank s(k) beyond it s(k+1) - s(k) of the s(k) blocks that this one has. ⌈log2 P⌉ rounds for any P,
 * (P - 1)n bytes, and no round brings more than half of the blocks, rounded up: log P·α + n(P - 1)β. Blocks
 * may differ in size, as long as all ranks know them all.
 *
 *   5 ranks, skips 1 2 3, rank 1     start  1····     round 0  12···     round 1  123··     round 2  12340
 *
 * J. Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", 2024 (arXiv 2410.14234): its
 * reduce-scatter backwards. */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/by_rounds.h"

void tti_allgather_circulant(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_allgather(shape, builder, tti_rounds_circulant, 0);
}
