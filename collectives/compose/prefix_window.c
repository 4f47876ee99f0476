/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank shows its data in blocks and combines those of the ranks up to it. A post says that a block is
 * there and that all before it have been read. P/2·nγ at each in the mean. For data of few blocks. */
#include "collectives/compose/prefix.h"
#include "collectives/compose/window_blocks.h"

/* For a single block nobody waits for the ranks above. */
static void await_block(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k)
{
    if (blocks->count > 1) {
        tti_build_await_post(builder, TTI_ALL, k + 1);
        return;
    }
    for (int r = 0; r < shape->rank; r++)
        tti_build_await_post(builder, r, k + 1);
}

void tti_prefix_window(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    const int last = tti_prefix_last(shape, inclusive);
    if (tti_prefix_alone(shape, builder, inclusive)) return;
    const tti_blocks blocks = tti_blocks_open(shape, tti_shape_bytes(shape), TTI_WINDOW_HALVES);
    const tti_window_ranks ranks = {0, last, NULL};
    for (int k = 0; k < blocks.count; k++) {
        const size_t at = tti_blocks_at(&blocks, k), region = tti_blocks_half(&blocks, k);
        /* Nobody reads what the last rank has. */
        if (shape->rank + 1 < shape->size) tti_blocks_show(builder, &blocks, tti_shape_own(shape), k);
        tti_build_post(builder, TTI_ALL);
        await_block(shape, builder, &blocks, k);
        if (last >= 0)
            tti_window_combine_with(builder, shape->rank, tti_window_own(shape, ranks, at, region), ranks,
                                    region, tti_place_at(TTI_OUTPUT, at), tti_blocks_bytes(&blocks, k));
    }
}
