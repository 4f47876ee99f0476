/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows its part for each other that it shares memory with, and its size, and copies from these what is
 * for itself. Large parts, and those for other nodes, go as messages meanwhile. */
#include "collectives/alltoallv/alltoallv.h"
#include "collectives/patterns/parts.h"

void tti_alltoallv_show(const tti_window_parts *parts)
{
    const tti_shape *shape = parts->shape;
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, -i, shape->size);
        const tti_extent part = tti_shape_sent(shape, rank);
        if (tti_shape_shares(shape, shape->rank, rank))
            tti_window_parts_show(parts, rank, tti_place_plus(tti_shape_own(shape), part.at), part.bytes);
    }
}

void tti_alltoallv_take(const tti_window_parts *parts)
{
    const tti_shape *shape = parts->shape;
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        const tti_extent part = tti_shape_received(shape, rank);
        if (tti_shape_shares(shape, shape->rank, rank))
            tti_window_parts_take(parts, rank, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}

void tti_alltoallv_inside(const tti_shape *shape, tti_builder *builder, const size_t *joined)
{
    const tti_window_parts parts = tti_window_parts_open_all(shape, builder);
    tti_alltoall_messages(shape, builder, (tti_alltoall_short){parts.most, joined});
    if (tti_shape_sharers(shape) == 1 || shape->window == 0) return;
    tti_alltoallv_show(&parts);
    tti_build_post(builder, TTI_ALL);
    tti_build_await_post(builder, TTI_ALL, 1);
    tti_alltoallv_take(&parts);
}

void tti_alltoallv_window(const tti_shape *shape, tti_builder *builder)
{
    tti_alltoallv_inside(shape, builder, NULL);
}
