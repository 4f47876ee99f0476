/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of the buffers that ranks show each other: each combines all, or a part for all. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/alone.h"
#include "collectives/compose/combine_shown.h"
#include "collectives/patterns/parts.h"

static void collect(const tti_shape *shape, tti_builder *builder)
{
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        const tti_extent part = tti_shape_cut(shape, shape->size, rank);
        const tti_place place = tti_place_at(TTI_OUTPUT, part.at);
        tti_build_copy_shown(builder, rank, place, place, part.bytes);
    }
}

/* False where nobody is needed: one rank, or no data. */
static bool begin(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (tti_combines_alone(shape, builder, bytes)) return false;
    tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes);
    return true;
}

/* Each combines everybody's data out of their buffers: one meeting less than in parts, and no result moves,
 * for P times the work. What a call in place has combined waits aside until the others have read what it
 * overwrites. */
void tti_allreduce_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    if (!begin(shape, builder)) return;
    const tti_place sum = shape->in_place ? tti_build_scratch(builder, bytes) : output;
    tti_build_await_post(builder, TTI_ALL, 0);
    tti_combine_shown(shape, builder, shape->size - 1, (tti_extent){0, bytes}, sum);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    if (shape->in_place) tti_build_copy(builder, sum, output, bytes);
}

/* Each combines its part of everybody's data, out of their buffers, into its own OUTPUT, out of which the
 * others copy it: reduce-scatter and allgather. The first post says that a part is combined (and its sources
 * have been read, which a call in place overwrites next), the second that all are collected. */
void tti_allreduce_shown_parts(const tti_shape *shape, tti_builder *builder)
{
    if (!begin(shape, builder)) return;
    const tti_extent own = tti_shape_cut(shape, shape->size, shape->rank);
    tti_build_show(builder, TTI_OUTPUT, tti_place_at(TTI_OUTPUT, 0), tti_shape_bytes(shape));
    tti_build_await_post(builder, TTI_ALL, 0);
    tti_combine_shown(shape, builder, shape->size - 1, own, tti_place_at(TTI_OUTPUT, own.at));
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    collect(shape, builder);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 2);
}
