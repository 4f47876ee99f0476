/* SPDX-License-Identifier: BSD-3-Clause */
/* The root copies the blocks out of the others' buffers, and then lets them go. P·nβ at the root, and two
 * meetings. */
#include "collectives/gather/gather.h"
#include "collectives/patterns/parts.h"

void tti_gather_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place input = tti_place_at(TTI_INPUT, 0);
    const bool root = shape->rank == shape->root;
    if (root && !shape->in_place)
        tti_build_copy(builder, input, tti_place_at(TTI_OUTPUT, (size_t)shape->rank * bytes), bytes);
    if (shape->size == 1 || bytes == 0) return;
    if (!root) tti_build_show(builder, TTI_INPUT, input, bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    if (!root) {
        tti_build_await_post(builder, shape->root, 1);
        return;
    }
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        tti_build_copy_shown(builder, rank, input, tti_place_at(TTI_OUTPUT, (size_t)rank * bytes), bytes);
    }
    tti_build_post(builder, TTI_ALL);
}
