/* SPDX-License-Identifier: BSD-3-Clause */
/* The root shows each rank's part that it shares memory with, and its size, and each copies its own. Large
 * parts, and those for other nodes, go as messages meanwhile. */
#include "collectives/compose/window_parts.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatterv/scatterv.h"

void tti_scatterv_inside(const tti_shape *shape, tti_builder *builder, size_t joined)
{
    const tti_window_parts parts = tti_window_parts_open_all(shape, builder);
    const bool root = shape->rank == shape->root;
    tti_scatter_messages(shape, builder, (tti_rooted_short){parts.most, joined});
    if (!root && tti_shape_shares(shape, shape->rank, shape->root)) {
        tti_build_await_post(builder, shape->root, 1);
        tti_window_parts_take(&parts, shape->root, tti_place_at(TTI_OUTPUT, 0), tti_shape_own_bytes(shape));
    }
    if (!root || shape->window == 0 || tti_shape_sharers(shape) == 1) return;
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_sent(shape, r);
        if (tti_shape_shares(shape, r, shape->root))
            tti_window_parts_show(&parts, r, tti_place_plus(tti_shape_own(shape), part.at), part.bytes);
    }
    tti_build_post(builder, TTI_ALL);
}

void tti_scatterv_window(const tti_shape *shape, tti_builder *builder)
{
    tti_scatterv_inside(shape, builder, 0);
}
