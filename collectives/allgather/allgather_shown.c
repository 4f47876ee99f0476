/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copies the others' contributions out of their buffers, the neighbour's first, so that not all read
 * from the same rank at once; it ends when all have its own. P·nβ at each without a copy into a WINDOW, for
 * two meetings. */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"

void tti_allgather_shown(const tti_shape *shape, tti_builder *builder)
{
    const tti_extent own = tti_shape_received(shape, shape->rank);
    if (!shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, own.at), own.bytes);
    if (shape->size == 1) return;
    tti_build_show(builder, TTI_INPUT, tti_shape_own_part(shape), own.bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        const tti_extent part = tti_shape_received(shape, rank);
        tti_build_copy_shown(builder, rank, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, part.at),
                             part.bytes);
    }
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
}
