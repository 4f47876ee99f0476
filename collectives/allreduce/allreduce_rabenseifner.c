/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allreduce/allreduce.h"
#include "collectives/allreduce/fold.h"
#include "collectives/allreduce/split.h"
#include "collectives/patterns/parts.h"

/* Tags of the second phase follow those of the first. */
enum { TAG_GATHER = TTI_MULTIPLY_LEVELS };

typedef struct {
    size_t first, count; /* elements */
} segment;

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_multiply plan;
    tti_multiply_group group[TTI_MULTIPLY_LEVELS];
    segment before[TTI_MULTIPLY_LEVELS + 1]; /* what a rank is responsible for before each level */
} call;

static segment part_of(segment whole, int parts, int index)
{
    return (segment){whole.first + tti_part_start(whole.count, parts, index),
                     tti_part_size(whole.count, parts, index)};
}

static size_t size_of(const call *c, segment s)
{
    return s.count * c->shape->element;
}

static tti_place output_of(const call *c, segment s)
{
    return tti_place_at(TTI_OUTPUT, s.first * c->shape->element);
}

static void plan_levels(call *c)
{
    const int place = tti_multiply_place(&c->plan, c->shape->rank);
    c->before[0] = (segment){0, c->shape->count};
    for (int level = 0; level < c->plan.levels; level++) {
        c->group[level] = tti_multiply_level(&c->plan, place, level);
        c->before[level + 1] = part_of(c->before[level], c->group[level].factor, c->group[level].mine);
    }
}

/* Takes in the part of a folded rank above; returns where the sum is, of which OUTPUT is free or holds it. */
static tti_place fold_in(const call *c)
{
    const tti_place own = tti_shape_own(c->shape);
    if (!tti_multiply_has_folded(&c->plan, c->shape->rank)) return own;
    const size_t bytes = tti_shape_bytes(c->shape);
    const tti_place sum =
        c->shape->in_place ? tti_build_scratch(c->builder, bytes) : tti_place_at(TTI_OUTPUT, 0);
    tti_build_recv(c->builder, sum, bytes, c->shape->rank + 1, TTI_TAG_FOLD);
    tti_build_reduce(c->builder, own, sum, bytes);
    return sum;
}

/* One level: the group's segment, which starts at `sum`, is cut into a part for each member; each gets the
 * others' contributions to its own part. Returns where the combined part is. */
static tti_place scatter_level(const call *c, int level, tti_place sum)
{
    const segment whole = c->before[level];
    tti_split split = {&c->plan, c->group[level], level, {{0, 0}}};
    for (int i = 0; i < split.group.factor; i++) {
        const segment theirs = part_of(whole, split.group.factor, i);
        split.piece[i].at = (theirs.first - whole.first) * c->shape->element;
        split.piece[i].bytes = size_of(c, theirs);
    }
    return tti_split_level(c->builder, &split, sum, output_of(c, c->before[level + 1]));
}

/* The levels backwards: each member sends its finished part to the others. */
static void gather_level(const call *c, int level)
{
    const tti_multiply_group *group = &c->group[level];
    const segment mine = c->before[level + 1];
    for (int i = 0; i < group->factor; i++) {
        if (i == group->mine) continue;
        const segment theirs = part_of(c->before[level], group->factor, i);
        const int peer = tti_multiply_member(&c->plan, group, i);
        tti_build_send(c->builder, output_of(c, mine), size_of(c, mine), peer, TAG_GATHER + level);
        tti_build_recv(c->builder, output_of(c, theirs), size_of(c, theirs), peer, TAG_GATHER + level);
    }
}

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
void tti_allreduce_rabenseifner(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder};
    tti_multiply_plan(shape->size, shape->radix, &c.plan);
    if (tti_multiply_place(&c.plan, shape->rank) < 0) {
        tti_fold_out(shape, builder);
        return;
    }
    plan_levels(&c);
    tti_place sum = fold_in(&c);
    for (int level = 0; level < c.plan.levels; level++)
        sum = scatter_level(&c, level, sum);
    const segment mine = c.before[c.plan.levels];
    tti_build_copy(builder, sum, output_of(&c, mine), size_of(&c, mine));
    for (int level = c.plan.levels - 1; level >= 0; level--)
        gather_level(&c, level);
    if (tti_multiply_has_folded(&c.plan, shape->rank))
        tti_build_send(builder, tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(shape), shape->rank + 1,
                       TTI_TAG_UNFOLD);
}
