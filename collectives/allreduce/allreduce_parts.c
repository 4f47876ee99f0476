/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter and allgather of parts through WINDOWs (compose/window_shares.h): nγ + 2nβ at each, with one
 * meeting a block. For data that are not short. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/window_shares.h"

static void reduce_in_parts(const tti_shape *shape, tti_builder *builder, bool counted)
{
    if (shape->size == 1 && !shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, 0),
                       tti_shape_bytes(shape));
    if (shape->size > 1 && shape->count > 0) tti_window_share_out(shape, builder, counted);
}

/* Each rank combines its part of every block and shows the result: reduce-scatter and allgather. */
void tti_allreduce_window_parts(const tti_shape *shape, tti_builder *builder)
{
    reduce_in_parts(shape, builder, false);
}

/* The same where ranks share processors. */
void tti_allreduce_counted_parts(const tti_shape *shape, tti_builder *builder)
{
    reduce_in_parts(shape, builder, true);
}
