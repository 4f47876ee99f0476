/* SPDX-License-Identifier: BSD-3-Clause */
/* The root copies blocks into its WINDOW, out of which the others copy them, one block behind. 2nβ less what
 * overlaps.
 *
 *   root        b0 in      b1 in      b2 in, once all have b0
 *   others                 b0 out     b1 out     b2 out
 */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/window_blocks.h"

/* Of two ranks one waits for the other: so what has room in a block goes in two, of which one comes out while
 * the other goes in, if it is not so short that waiting for a second post takes as long. */
#define SPLIT_LEAST ((size_t)6 << 10)

static tti_blocks blocks_of(const tti_shape *shape)
{
    tti_blocks blocks = tti_blocks_open(shape, tti_shape_bytes(shape), TTI_WINDOW_HALVES);
    if (shape->size > 2 || blocks.count > 1 || blocks.bytes < SPLIT_LEAST) return blocks;
    const size_t elements = blocks.bytes / shape->element;
    blocks.block = (elements + 1) / TTI_WINDOW_HALVES * shape->element;
    blocks.stride = tti_lines(blocks.block);
    blocks.count = TTI_WINDOW_HALVES;
    return blocks;
}

/* The readers' posts say that a block has been read; those of the last blocks nobody waits for. */
static void read_blocks(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks)
{
    for (int k = 0; k < blocks->count; k++) {
        tti_build_await_post(builder, shape->root, k + 1);
        tti_build_copy_from(builder, shape->root, tti_blocks_half(blocks, k),
                            tti_place_at(TTI_OUTPUT, tti_blocks_at(blocks, k)), tti_blocks_bytes(blocks, k));
        if (k + TTI_WINDOW_HALVES < blocks->count) tti_build_post(builder, shape->root);
    }
}

void tti_bcast_window(const tti_shape *shape, tti_builder *builder)
{
    if (shape->size == 1 || shape->count == 0) return;
    const tti_blocks blocks = blocks_of(shape);
    if (shape->rank != shape->root) {
        read_blocks(shape, builder, &blocks);
        return;
    }
    for (int k = 0; k < blocks.count; k++) {
        if (k >= TTI_WINDOW_HALVES) tti_build_await_post(builder, TTI_ALL, k - TTI_WINDOW_HALVES + 1);
        tti_blocks_show(builder, &blocks, tti_place_at(TTI_OUTPUT, 0), k);
        tti_build_post(builder, TTI_ALL);
    }
}
