/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copies its parts out of its sources' buffers, and ends when all have theirs: one copy of each part,
 * for two meetings of all. Where nobody knows the edges' places they are messages. */
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

/* What a source has for the caller, along the edge of this number: where it lies there both know. */
static tti_place given(const tti_shape *shape, int source, bool whole)
{
    const size_t index = whole ? 0 : (size_t)shape->neighbours->places[source].index;
    return tti_place_at(TTI_INPUT, index * tti_shape_bytes(shape));
}

/* Bytes of INPUT up to the end of the last part that is somebody's. */
static size_t given_bytes(const tti_shape *shape, bool whole)
{
    const tti_neighbour_list *to = &shape->neighbours->targets;
    size_t end = 0;
    for (int i = 0; i < to->count; i++)
        if (to->ranks[i] >= 0) end = (whole ? 1 : (size_t)i + 1) * tti_shape_bytes(shape);
    return end;
}

static void take(const tti_shape *shape, tti_builder *builder, bool whole)
{
    const tti_neighbour_list *from = &shape->neighbours->sources;
    for (int i = 0; i < from->count; i++) {
        const tti_extent part = tti_shape_received(shape, i);
        if (tti_neighbor_is_other(shape, from->ranks[i]))
            tti_build_copy_shown(builder, from->ranks[i], given(shape, i, whole),
                                 tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}

void tti_neighbor_shown(const tti_shape *shape, tti_builder *builder, bool whole)
{
    if (shape->neighbours->places == NULL) {
        tti_neighbor_direct(shape, builder, whole);
        return;
    }
    tti_neighbor_keep_own(shape, builder, whole);
    if (shape->size == 1 || tti_shape_bytes(shape) == 0) return;
    tti_build_show(builder, TTI_INPUT, tti_place_at(TTI_INPUT, 0), given_bytes(shape, whole));
    tti_build_await_post(builder, TTI_ALL, 0);
    take(shape, builder, whole);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
}
