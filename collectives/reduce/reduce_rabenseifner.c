/* SPDX-License-Identifier: BSD-3-Clause */
/* Rabenseifner's reduce: reduce-scatter by recursive splitting as in allreduce, then a gather by the same
 * levels backwards to the root: 2·log_k P rounds and 2n(P - 1)/P·β at the root, where a tree has log_k P·n.
 * Folded ranks cost α + n(β + γ) more. Neighbours exchange first, so the operation need not commute. A folded
 * root gets the result of the rank below it: α + nβ more.
 *
 *   4 ranks, radix 2, root 0, data abcd     split 1       split 2      gather 2     gather 1
 *   rank 0                                  ab of 0,1     a of all     ab           abcd
 *   rank 1                                  cd of 0,1     c of all     cd
 *   rank 2                                  ab of 2,3     b of all
 *   rank 3                                  cd of 2,3     d of all
 *
 * R. Rabenseifner, "Optimization of collective reduction operations", 2004. */
#include "collectives/compose/fold.h"
#include "collectives/compose/rabenseifner_scatter.h"
#include "collectives/reduce/reduce.h"

/* The levels backwards: of those who have what members of the root's group gave them, the one with the root's
 * place in it takes the others' parts. */
static void gather(const tti_rabenseifner *c, int root)
{
    for (int level = c->plan.levels - 1; level >= 0; level--) {
        const tti_multiply_group *group = &c->group[level];
        const int target = tti_multiply_level(&c->plan, root, level).mine;
        for (int i = 0; i < group->factor; i++) {
            const tti_segment part = tti_rabenseifner_part(c, level, i);
            const tti_place place = tti_segment_place(c, part);
            if (group->mine == target && i != target)
                tti_build_recv(c->builder, place, tti_segment_bytes(c, part),
                               tti_multiply_member(&c->plan, group, i), TTI_TAG_GATHER + level);
            else if (group->mine != target && i == group->mine)
                tti_build_send(c->builder, place, tti_segment_bytes(c, part),
                               tti_multiply_member(&c->plan, group, target), TTI_TAG_GATHER + level);
        }
        if (group->mine != target) return;
    }
}

/* A folded rank gives what it has to the one below it; the root gets the result from there. */
static void fold(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    tti_build_send(builder, tti_shape_own(shape), bytes, shape->rank - 1, TTI_TAG_FOLD);
    if (shape->rank == shape->root)
        tti_build_recv(builder, tti_place_at(TTI_OUTPUT, 0), bytes, shape->rank - 1, TTI_TAG_UNFOLD);
}

void tti_reduce_rabenseifner(const tti_shape *shape, tti_builder *builder)
{
    tti_rabenseifner c;
    if (!tti_rabenseifner_open(shape, builder, &c)) {
        fold(shape, builder);
        return;
    }
    const size_t bytes = tti_shape_bytes(shape);
    const int place = tti_multiply_place(&c.plan, shape->root);
    const bool is_folded = place < 0;
    const int target = is_folded ? shape->root - 1 : shape->root;
    if (shape->rank != shape->root) /* which alone has an OUTPUT */
        tti_build_place(builder, tti_place_at(TTI_INPUT, 0), tti_build_scratch(builder, bytes), 0,
                        TTI_BUILD_TAGS);
    tti_rabenseifner_scatter(&c);
    gather(&c, tti_multiply_place(&c.plan, target));
    if (is_folded && shape->rank == target)
        tti_build_send(builder, tti_place_at(TTI_OUTPUT, 0), bytes, shape->root, TTI_TAG_UNFOLD);
    tti_build_whole(builder);
}
