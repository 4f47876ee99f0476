/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/rabenseifner_scatter.h"

#include "collectives/compose/fold.h"
#include "collectives/compose/recursive_split.h"
#include "collectives/patterns/parts.h"

static tti_segment part_of(tti_segment whole, int parts, int index)
{
    return (tti_segment){whole.first + tti_part_start(whole.count, parts, index),
                         tti_part_size(whole.count, parts, index)};
}

static void plan_levels(tti_rabenseifner *c)
{
    const int place = tti_multiply_place(&c->plan, c->shape->rank);
    c->before[0] = (tti_segment){0, c->shape->count};
    for (int level = 0; level < c->plan.levels; level++) {
        c->group[level] = tti_multiply_level(&c->plan, place, level);
        c->before[level + 1] = part_of(c->before[level], c->group[level].factor, c->group[level].mine);
    }
}

/* Takes in the part of a folded rank above; returns where the sum is, of which OUTPUT is free or holds it. */
static tti_place fold_in(const tti_rabenseifner *c)
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
static tti_place scatter_level(const tti_rabenseifner *c, int level, tti_place sum)
{
    const tti_segment whole = c->before[level];
    tti_split split = {&c->plan, c->group[level], level, {{0, 0}}};
    for (int i = 0; i < split.group.factor; i++) {
        const tti_segment theirs = part_of(whole, split.group.factor, i);
        split.piece[i].at = (theirs.first - whole.first) * c->shape->element;
        split.piece[i].bytes = tti_segment_bytes(c, theirs);
    }
    return tti_split_level(c->builder, &split, sum, tti_segment_place(c, c->before[level + 1]));
}

tti_segment tti_rabenseifner_part(const tti_rabenseifner *call, int level, int index)
{
    return part_of(call->before[level], call->group[level].factor, index);
}

bool tti_rabenseifner_open(const tti_shape *shape, tti_builder *builder, tti_rabenseifner *call)
{
    *call = (tti_rabenseifner){.shape = shape, .builder = builder};
    tti_multiply_plan(shape->size, shape->radix, &call->plan);
    if (tti_multiply_place(&call->plan, shape->rank) < 0) return false;
    plan_levels(call);
    return true;
}

void tti_rabenseifner_scatter(const tti_rabenseifner *call)
{
    tti_place sum = fold_in(call);
    for (int level = 0; level < call->plan.levels; level++)
        sum = scatter_level(call, level, sum);
    const tti_segment mine = call->before[call->plan.levels];
    tti_build_copy(call->builder, sum, tti_segment_place(call, mine), tti_segment_bytes(call, mine));
}
