/* SPDX-License-Identifier: BSD-3-Clause */
/* Rabenseifner's algorithm, for groups of up to radix ranks: reduce-scatter by recursive splitting, then
 * allgather by the same levels backwards. Neighbours exchange first, so sums are over ranks in a row and the
 * operation need not commute.
 *
 *   4 ranks, radix 2, data abcd       split 1       split 2      gather 2     gather 1
 *   rank 0                            ab of 0,1     a of all     ab           abcd
 *   rank 1                            cd of 0,1     c of all     cd           abcd
 *   rank 2                            ab of 2,3     b of all     ab           abcd
 *   rank 3                            cd of 2,3     d of all     cd           abcd
 *
 * R. Rabenseifner, "Optimization of collective reduction operations", 2004. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/fold.h"
#include "collectives/compose/rabenseifner_scatter.h"

/* The levels backwards: each member sends its finished part to the others. */
static void gather_level(const tti_rabenseifner *c, int level)
{
    const tti_multiply_group *group = &c->group[level];
    const tti_segment mine = c->before[level + 1];
    for (int i = 0; i < group->factor; i++) {
        if (i == group->mine) continue;
        const tti_segment theirs = tti_rabenseifner_part(c, level, i);
        const int peer = tti_multiply_member(&c->plan, group, i);
        tti_build_send(c->builder, tti_segment_place(c, mine), tti_segment_bytes(c, mine), peer,
                       TTI_TAG_GATHER + level);
        tti_build_recv(c->builder, tti_segment_place(c, theirs), tti_segment_bytes(c, theirs), peer,
                       TTI_TAG_GATHER + level);
    }
}

void tti_allreduce_rabenseifner(const tti_shape *shape, tti_builder *builder)
{
    tti_rabenseifner c;
    if (!tti_rabenseifner_open(shape, builder, &c)) {
        tti_fold_out(shape, builder);
        return;
    }
    tti_rabenseifner_scatter(&c);
    for (int level = c.plan.levels - 1; level >= 0; level--)
        gather_level(&c, level);
    if (tti_multiply_has_folded(&c.plan, shape->rank))
        tti_build_send(builder, tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(shape), shape->rank + 1,
                       TTI_TAG_UNFOLD);
}
