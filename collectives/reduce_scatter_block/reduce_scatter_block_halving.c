/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive splitting in groups of up to radix ranks: at each level a rank keeps of its blocks those of the
 * places that have its digit there, and gets the group's contributions to them. Neighbours exchange first, so
 * sums are over ranks in a row and the operation need not commute; for that blocks are sorted by the digits
 * of their places, the first level's first. Ranks beyond the core are folded into the one below them, which
 * has two blocks at the end and gives one back.
 *
 *   4 ranks, radix 2, blocks abcd sorted acbd      split 1      split 2
 *   rank 0                                         ac of 0,1    a of all
 *   rank 1                                         bd of 0,1    b of all
 *   rank 2                                         ac of 2,3    c of all
 *   rank 3                                         bd of 2,3    d of all
 *
 * After R. Rabenseifner, "Optimization of collective reduction operations", 2004 (recursive halving). */
#include "collectives/compose/fold.h"
#include "collectives/compose/recursive_split.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_multiply plan;
    size_t block;
    /* The places of the core in the order in which levels split them, by the first level's digit first:
     * before[i] blocks lie before those of the i-th of them, which has one, or two with a folded rank's. */
    int *before;
} call;

/* The i-th place in that order. */
static int place_at(const call *c, int i)
{
    int place = 0, stride = 1, left = c->plan.core;
    for (int level = 0; level < c->plan.levels; level++) {
        left /= c->plan.factor[level];
        place += i / left * stride;
        i %= left;
        stride *= c->plan.factor[level];
    }
    return place;
}

static int rank_at(const call *c, int i)
{
    return tti_multiply_rank(&c->plan, place_at(c, i));
}

static bool list_places(call *c)
{
    c->before = tti_build_numbers(c->builder, c->plan.core + 1);
    if (c->before == NULL) return false;
    c->before[0] = 0;
    for (int i = 0; i < c->plan.core; i++)
        c->before[i + 1] = c->before[i] + (tti_multiply_has_folded(&c->plan, rank_at(c, i)) ? 2 : 1);
    return true;
}

static size_t bytes_between(const call *c, int first, int end)
{
    return c->block * (size_t)(c->before[end] - c->before[first]);
}

/* The contribution of the folded rank above goes behind the caller's; returns where the sum is. */
static tti_place fold_in(const call *c)
{
    const tti_place own = tti_shape_own(c->shape);
    const size_t bytes = c->block * (size_t)c->shape->size;
    if (!tti_multiply_has_folded(&c->plan, c->shape->rank)) return own;
    const tti_place sum = tti_build_scratch(c->builder, bytes);
    tti_build_recv(c->builder, sum, bytes, c->shape->rank + 1, TTI_TAG_FOLD);
    tti_build_reduce(c->builder, own, sum, bytes);
    return sum;
}

/* From the order of ranks into that of splitting, which is the same if there is one level. A folded rank is
 * the next one to its place's. */
static tti_place sort(const call *c, tti_place sum)
{
    if (c->plan.levels <= 1) return sum;
    const tti_place sorted = tti_build_scratch(c->builder, c->block * (size_t)c->shape->size);
    for (int i = 0; i < c->plan.core; i++)
        tti_build_copy(c->builder, tti_place_plus(sum, c->block * (size_t)rank_at(c, i)),
                       tti_place_plus(sorted, bytes_between(c, 0, i)), bytes_between(c, i, i + 1));
    return sorted;
}

/* All levels; what is left is the block of the caller's place. */
static tti_place split_all(const call *c, tti_place sum)
{
    const int place = tti_multiply_place(&c->plan, c->shape->rank);
    int first = 0, places = c->plan.core; /* whose blocks begin at `sum` */
    for (int level = 0; level < c->plan.levels; level++) {
        tti_split split = {&c->plan, tti_multiply_level(&c->plan, place, level), level, {{0, 0}}};
        places /= split.group.factor;
        for (int i = 0; i < split.group.factor; i++) {
            const int begin = first + i * places;
            split.piece[i].at = bytes_between(c, first, begin);
            split.piece[i].bytes = bytes_between(c, begin, begin + places);
        }
        sum = tti_split_level(c->builder, &split, sum, tti_place_at(TTI_OUTPUT, 0));
        first += split.group.mine * places;
    }
    return sum;
}

static void fold_out(const call *c)
{
    const int below = c->shape->rank - 1;
    tti_build_send(c->builder, tti_shape_own(c->shape), c->block * (size_t)c->shape->size, below,
                   TTI_TAG_FOLD);
    tti_build_recv(c->builder, tti_place_at(TTI_OUTPUT, 0), c->block, below, TTI_TAG_UNFOLD);
}

void tti_reduce_scatter_block_halving(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .block = tti_shape_bytes(shape)};
    tti_multiply_plan(shape->size, shape->radix, &c.plan);
    if (tti_multiply_place(&c.plan, shape->rank) < 0) {
        fold_out(&c);
        return;
    }
    if (!list_places(&c)) return;
    const tti_place sum = split_all(&c, sort(&c, fold_in(&c)));
    tti_build_copy(builder, sum, tti_place_at(TTI_OUTPUT, 0), c.block);
    if (tti_multiply_has_folded(&c.plan, shape->rank))
        tti_build_send(builder, tti_place_plus(sum, c.block), c.block, shape->rank + 1, TTI_TAG_UNFOLD);
}
