/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows its own block by block and copies the others'. P·nβ and a copy in at each, one meeting a block.
 */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

static void fill(const tti_window_call *c, int k)
{
    tti_extent own = tti_shape_received(c->shape, c->shape->rank);
    if (!c->shape->in_place) own.at = 0;
    const tti_extent block = tti_blocks_cut(&c->blocks, own, k);
    tti_build_copy(c->builder, tti_place_plus(tti_shape_own(c->shape), block.at),
                   tti_place_at(TTI_WINDOW, tti_blocks_half(&c->blocks, k)), block.bytes);
}

/* The neighbours' first, so that not all read from the same rank at once. */
static void collect(const tti_window_call *c, int k)
{
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        const tti_extent block = tti_blocks_cut(&c->blocks, tti_shape_received(c->shape, rank), k);
        tti_build_copy_from(c->builder, rank, tti_blocks_half(&c->blocks, k),
                            tti_place_at(TTI_OUTPUT, block.at), block.bytes);
    }
}

/* What is in block `k` of a rank's own part, for which nobody waits. */
static void keep_own(const tti_window_call *c, int k)
{
    if (c->shape->in_place) return;
    const tti_extent own = tti_shape_received(c->shape, c->shape->rank),
                     block = tti_blocks_cut(&c->blocks, own, k);
    tti_build_copy(c->builder, tti_place_at(TTI_INPUT, block.at - own.at), tti_place_at(TTI_OUTPUT, block.at),
                   block.bytes);
}

void tti_allgather_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_largest(shape, &shape->recv);
    tti_window_call call = {.shape = shape, .builder = builder, .meanwhile = keep_own};
    if (shape->size == 1 || bytes == 0) {
        call.blocks = (tti_blocks){bytes, bytes, bytes, 1};
        keep_own(&call, 0);
        return;
    }
    call.blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES);
    tti_window_exchange(&call, fill, collect);
}
