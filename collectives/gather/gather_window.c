/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows its block, piece by piece, and the root copies them into place, each as it comes. The
 * root says that pieces have been read where somebody waits to show the next in their place. P·nβ at the
 * root. */
#include "collectives/compose/window_blocks.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/parts.h"

static void collect(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k)
{
    for (int i = 1; i < shape->size; i++) {
        const int r = tti_ring(shape->root, i, shape->size);
        const size_t to = (size_t)r * blocks->bytes + tti_blocks_at(blocks, k);
        tti_build_await_post(builder, r, k + 1);
        tti_build_copy_from(builder, r, tti_blocks_half(blocks, k), tti_place_at(TTI_OUTPUT, to),
                            tti_blocks_bytes(blocks, k));
    }
}

void tti_gather_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const bool root = shape->rank == shape->root;
    if (root && !shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0),
                       tti_place_at(TTI_OUTPUT, (size_t)shape->rank * bytes), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_blocks blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES);
    for (int k = 0; k < blocks.count; k++) {
        if (root) {
            collect(shape, builder, &blocks, k);
            if (k + TTI_WINDOW_HALVES < blocks.count) tti_build_post(builder, TTI_ALL);
        } else {
            if (k >= TTI_WINDOW_HALVES) tti_build_await_post(builder, shape->root, k - TTI_WINDOW_HALVES + 1);
            tti_blocks_show(builder, &blocks, tti_place_at(TTI_INPUT, 0), k);
            tti_build_post(builder, shape->root);
        }
    }
}
