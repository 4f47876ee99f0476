/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter and allgather of parts through WINDOWs (compose/window_shares.h): nγ + 2nβ at each, with one
 * meeting a block. For data that are not short. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/alone.h"
#include "collectives/compose/window_shares.h"

static void reduce_in_parts(const tti_shape *shape, tti_builder *builder, bool counted)
{
    if (!tti_combines_alone(shape, builder, tti_shape_bytes(shape)))
        tti_window_share_out(shape, builder, counted);
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
