/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_parts.h"
#include "collectives/gather/gather.h"
#include "collectives/gatherv/gatherv.h"

#define READERS 1 /* the root */

/* Who shares memory with the root shows its part, and its size, and the root copies them into place. Large
 * parts, and those of other nodes, go as messages meanwhile. */
void tti_gatherv_window(const tti_shape *shape, tti_builder *builder)
{
    const tti_window_parts parts = tti_window_parts_open(shape, builder, READERS);
    const bool root = shape->rank == shape->root;
    tti_gather_messages(shape, builder, parts.most);
    if (!root && tti_shape_shares(shape, shape->rank, shape->root)) {
        tti_window_parts_show(&parts, shape->root, tti_place_at(TTI_INPUT, 0), tti_shape_own_bytes(shape));
        tti_build_post(builder, shape->root);
    }
    if (!root || shape->window == 0 || tti_shape_sharers(shape) == 1) return;
    tti_build_await_post(builder, TTI_ALL, 1);
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_received(shape, r);
        if (tti_shape_shares(shape, r, shape->root))
            tti_window_parts_take(&parts, r, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}
