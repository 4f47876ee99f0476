/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter and allgather on a circulant graph (see the algorithms of that name there), of a part for
 * each rank: 2·⌈log2 P⌉ rounds and 2n(P - 1)/P bytes for any P, without folding: the least of both that there
 * can be. Sums go around the ring, so the operation must commute.
 *
 *   3 ranks, skips 1 2, rank 0, parts abc     reduce: sends c, adds to a; sends b, adds to a: a is the sum
 *                                             gather: sends a, gets b; sends a, gets c
 *
 * J. Träff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", 2024 (arXiv 2410.14234). */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/by_rounds.h"

void tti_allreduce_circulant(const tti_shape *shape, tti_builder *builder)
{
    tti_by_rounds_allreduce(shape, builder, tti_rounds_circulant, 0);
}
