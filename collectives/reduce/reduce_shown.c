/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/combine_shown.h"
#include "collectives/reduce/reduce.h"

/* The root combines all data where they are, and then lets the others go. */
void tti_reduce_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (shape->size == 1 && !shape->in_place)
        tti_build_copy(builder, tti_shape_own(shape), tti_place_at(TTI_OUTPUT, 0), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const bool root = shape->rank == shape->root;
    if (!root) tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    if (root) {
        tti_combine_shown(shape, builder, shape->size - 1, (tti_extent){0, bytes},
                          tti_place_at(TTI_OUTPUT, 0));
        tti_build_post(builder, TTI_ALL);
    } else {
        tti_build_await_post(builder, shape->root, 1);
    }
}
