/* SPDX-License-Identifier: BSD-3-Clause */
/* The root shows a piece of each rank's block, and each copies its own; two rounds of pieces take turns. P·nβ
 * at the root. */
#include "collectives/compose/window_blocks.h"
#include "collectives/scatter/scatter.h"

static void give(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks)
{
    for (int k = 0; k < blocks->count; k++) {
        if (k >= TTI_WINDOW_HALVES) tti_build_await_post(builder, TTI_ALL, k - TTI_WINDOW_HALVES + 1);
        for (int r = 0; r < shape->size; r++) {
            const size_t from = (size_t)r * blocks->bytes + tti_blocks_at(blocks, k);
            if (r != shape->root)
                tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), from),
                               tti_place_at(TTI_WINDOW, tti_blocks_region_for(blocks, k, r, shape->size)),
                               tti_blocks_bytes(blocks, k));
        }
        tti_build_post(builder, TTI_ALL);
    }
}

static void take(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks)
{
    for (int k = 0; k < blocks->count; k++) {
        tti_build_await_post(builder, shape->root, k + 1);
        tti_build_copy_from(builder, shape->root, tti_blocks_region_for(blocks, k, shape->rank, shape->size),
                            tti_place_at(TTI_OUTPUT, tti_blocks_at(blocks, k)), tti_blocks_bytes(blocks, k));
        if (k + TTI_WINDOW_HALVES < blocks->count) tti_build_post(builder, shape->root);
    }
}

void tti_scatter_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const bool root = shape->rank == shape->root;
    if (root && !shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, (size_t)shape->rank * bytes),
                       tti_place_at(TTI_OUTPUT, 0), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_blocks blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES * shape->size);
    if (root)
        give(shape, builder, &blocks);
    else
        take(shape, builder, &blocks);
}
