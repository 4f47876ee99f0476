/* SPDX-License-Identifier: BSD-3-Clause */
/* Whoever comes last combines everybody's block, and all copy the result out of its WINDOW. Coming with a
 * block says that the result of the last but one has been copied, so two places take turns. P·nγ at the last,
 * 2nβ at each: the least work. For ranks that share processors, each of which needs its own but once a block.
 *
 *   each    b0 in    come    b1 in    (b0 out)    come    b2 in    (b1 out)    come
 *   last             b0 combined                  b1 combined                  b2 combined
 */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/alone.h"
#include "collectives/compose/window_blocks.h"

void tti_allreduce_counted(const tti_shape *shape, tti_builder *builder)
{
    const int last = shape->size;
    if (tti_combines_alone(shape, builder, tti_shape_bytes(shape))) return;
    const tti_blocks blocks = tti_blocks_open(shape, tti_shape_bytes(shape), TTI_WINDOW_HALVES);
    for (int k = 0; k < blocks.count; k++) {
        const size_t at = tti_blocks_at(&blocks, k), bytes = tti_blocks_bytes(&blocks, k),
                     region = tti_blocks_half(&blocks, k);
        const tti_place shown = tti_place_at(TTI_WINDOW, region);
        if (shape->rank == last) {
            tti_build_await_post(builder, TTI_ALL, k + 1);
            tti_window_combine(builder, last, tti_window_all(shape), region, shown, bytes);
            tti_build_post(builder, TTI_ALL);
            continue;
        }
        tti_blocks_show(builder, &blocks, tti_shape_own(shape), k);
        tti_build_post(builder, last);
        tti_build_await_post(builder, last, k + 1);
        tti_build_copy_from(builder, last, region, tti_place_at(TTI_OUTPUT, at), bytes);
    }
}
