/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copies its blocks out of the others' buffers, the neighbour's first, so that not all read from the
 * same rank at once; it ends when all have its own. In place they wait aside until then. P·nβ at each, and
 * two meetings. */
#include "collectives/alltoall/alltoall.h"
#include "collectives/patterns/parts.h"

void tti_alltoall_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), own = (size_t)shape->rank * bytes;
    const tti_place mine = tti_place_at(TTI_INPUT, own), output = tti_place_at(TTI_OUTPUT, 0);
    if (!shape->in_place) tti_build_copy(builder, mine, tti_place_plus(output, own), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_place aside = tti_build_scratch(builder, shape->in_place ? bytes * (size_t)shape->size : 0);
    tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes * (size_t)shape->size);
    tti_build_await_post(builder, TTI_ALL, 0);
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        tti_build_copy_shown(builder, rank, mine,
                             tti_place_plus(shape->in_place ? aside : output, (size_t)rank * bytes), bytes);
    }
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    if (!shape->in_place) return;
    tti_build_copy(builder, aside, output, own);
    tti_build_copy(builder, tti_place_plus(aside, own + bytes), tti_place_plus(output, own + bytes),
                   bytes * (size_t)(shape->size - 1 - shape->rank));
}
