/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows its own block by block and copies the others'; that a block is there whoever comes last tells
 * all, so that nobody looks at each of them. Coming with a block says that those before have been copied.
 * P·nβ at each. For ranks that share processors, each of which needs its own but once a block. */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

void tti_allgather_counted(const tti_shape *shape, tti_builder *builder)
{
    const int last = shape->size, rank = shape->rank;
    const size_t bytes = tti_shape_bytes(shape), own = (size_t)rank * bytes;
    if (!shape->in_place && rank != last)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, own), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_blocks blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES);
    for (int k = 0; k < blocks.count; k++) {
        const size_t at = tti_blocks_at(&blocks, k), part = tti_blocks_bytes(&blocks, k),
                     region = tti_blocks_half(&blocks, k);
        if (rank == last) {
            tti_build_await_post(builder, TTI_ALL, k + 1);
            tti_build_post(builder, TTI_ALL);
            continue;
        }
        tti_blocks_show(builder, &blocks, tti_shape_own_part(shape), k);
        tti_build_post(builder, last);
        tti_build_await_post(builder, last, k + 1);
        for (int i = 1; i < shape->size; i++) {
            const int peer = tti_ring(rank, i, shape->size);
            tti_build_copy_from(builder, peer, region, tti_place_at(TTI_OUTPUT, (size_t)peer * bytes + at),
                                part);
        }
    }
}
