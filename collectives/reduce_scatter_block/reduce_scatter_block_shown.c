/* SPDX-License-Identifier: BSD-3-Clause */
/* Each combines its part out of everybody's buffers, and ends when all have theirs. In place it waits aside
 * until then. P·nγ at each, and two meetings. */
#include "collectives/compose/alone.h"
#include "collectives/compose/combine_shown.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

void tti_reduce_scatter_block_shown(const tti_shape *shape, tti_builder *builder)
{
    const tti_extent all = tti_shape_row(shape, &shape->send, 0, shape->size),
                     part = tti_shape_sent(shape, shape->rank);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    if (tti_combines_alone(shape, builder, tti_shape_largest(shape, &shape->send))) return;
    const tti_place sum = shape->in_place ? tti_build_scratch(builder, part.bytes) : output;
    tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), all.bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    tti_combine_shown(shape, builder, shape->size - 1, part, sum);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    if (shape->in_place) tti_build_copy(builder, sum, output, part.bytes);
}
