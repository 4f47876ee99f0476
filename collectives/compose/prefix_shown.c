/* SPDX-License-Identifier: BSD-3-Clause */
/* Each combines what the ranks up to it have out of their buffers, and ends when all have done so. In place
 * the result waits aside until then. P/2·nγ at each in the mean, and two meetings. */
#include "collectives/compose/combine_shown.h"
#include "collectives/compose/prefix.h"

void tti_prefix_shown(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    const int last = tti_prefix_last(shape, inclusive);
    if (tti_prefix_alone(shape, builder, inclusive)) return;
    const size_t bytes = tti_shape_bytes(shape);
    const bool aside = shape->in_place && last >= 0;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const tti_place sum = aside ? tti_build_scratch(builder, bytes) : output;
    tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    if (last >= 0) tti_combine_shown(shape, builder, last, (tti_extent){0, bytes}, sum);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    if (aside) tti_build_copy(builder, sum, output, bytes);
}
