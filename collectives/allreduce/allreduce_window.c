/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of the WINDOWs of all ranks: each combines all, P·nγ and one passage; or the first rank does for all,
 * P·nγ there alone and two passages. For short data. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/alone.h"
#include "collectives/compose/window_blocks.h"

static bool open(tti_window_call *c, const tti_shape *shape, tti_builder *builder, int regions)
{
    if (tti_combines_alone(shape, builder, tti_shape_bytes(shape))) return false;
    *c = (tti_window_call){.shape = shape,
                           .builder = builder,
                           .blocks = tti_blocks_open(shape, tti_shape_bytes(shape), regions)};
    return true;
}

static void show(const tti_window_call *c, int k)
{
    tti_blocks_show(c->builder, &c->blocks, tti_shape_own(c->shape), k);
}

/* In place, a rank that reads its own contribution in its WINDOW (tti_window_own()) keeps it in the other
 * half as well, where nobody else reads, if no next block goes there. */
static bool keeps_own(const tti_window_call *c)
{
    return c->shape->in_place && c->shape->rank < c->shape->size - 1 && c->blocks.count == 1;
}

static void show_and_keep(const tti_window_call *c, int k)
{
    show(c, k);
    if (keeps_own(c))
        tti_build_copy(c->builder, tti_shape_own(c->shape),
                       tti_place_at(TTI_WINDOW, tti_blocks_half(&c->blocks, k + 1)), c->blocks.bytes);
}

static void combine(const tti_window_call *c, int k)
{
    const size_t at = tti_blocks_at(&c->blocks, k),
                 own = tti_blocks_half(&c->blocks, keeps_own(c) ? k + 1 : k);
    const tti_window_ranks all = tti_window_all(c->shape);
    tti_window_combine_with(c->builder, c->shape->rank, tti_window_own(c->shape, all, at, own), all,
                            tti_blocks_half(&c->blocks, k), tti_place_at(TTI_OUTPUT, at),
                            tti_blocks_bytes(&c->blocks, k));
}

/* Each rank shows its data and combines everybody's. */
void tti_allreduce_window(const tti_shape *shape, tti_builder *builder)
{
    tti_window_call c;
    if (open(&c, shape, builder, TTI_WINDOW_HALVES)) tti_window_exchange(&c, show_and_keep, combine);
}

static void lead(const tti_window_call *c)
{
    for (int k = 0; k < c->blocks.count; k++) {
        const size_t bytes = tti_blocks_bytes(&c->blocks, k);
        const tti_place result = tti_place_at(TTI_WINDOW, tti_blocks_result_half(&c->blocks, k));
        show(c, k);
        tti_build_await_post(c->builder, TTI_ALL, k + 1);
        tti_window_combine_with(c->builder, c->shape->rank,
                                tti_place_plus(tti_shape_own(c->shape), tti_blocks_at(&c->blocks, k)),
                                tti_window_all(c->shape), tti_blocks_half(&c->blocks, k), result, bytes);
        tti_build_post(c->builder, TTI_ALL);
        tti_build_copy(c->builder, result, tti_place_at(TTI_OUTPUT, tti_blocks_at(&c->blocks, k)), bytes);
    }
}

/* The first rank combines for all: the least work, and one rank that each has to wait for. A follower's post
 * says that its block is there and that it has the result of the last but one. */
void tti_allreduce_window_lead(const tti_shape *shape, tti_builder *builder)
{
    tti_window_call c;
    if (!open(&c, shape, builder, 2 * TTI_WINDOW_HALVES)) return;
    if (shape->rank == 0) {
        lead(&c);
        return;
    }
    show(&c, 0);
    tti_build_post(builder, 0);
    for (int k = 0; k < c.blocks.count; k++) {
        tti_build_await_post(builder, 0, k + 1);
        tti_build_copy_from(builder, 0, tti_blocks_result_half(&c.blocks, k),
                            tti_place_at(TTI_OUTPUT, tti_blocks_at(&c.blocks, k)),
                            tti_blocks_bytes(&c.blocks, k));
        if (k + 1 < c.blocks.count) {
            show(&c, k + 1);
            tti_build_post(builder, 0);
        }
    }
}
