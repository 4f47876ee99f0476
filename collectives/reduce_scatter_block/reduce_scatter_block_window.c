/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows a piece of its contribution to every block and combines all contributions to its own. P·nβ and
 * P·nγ at each, one meeting a piece. */
#include "collectives/compose/alone.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

static void fill(const tti_window_call *c, int k)
{
    for (int r = 0; r < c->shape->size; r++) {
        const tti_extent block = tti_blocks_cut(&c->blocks, tti_shape_sent(c->shape, r), k);
        tti_build_copy(c->builder, tti_place_plus(tti_shape_own(c->shape), block.at),
                       tti_place_at(TTI_WINDOW, tti_blocks_region_for(&c->blocks, k, r, c->shape->size)),
                       block.bytes);
    }
}

/* Where the caller's contribution to its own block is read (tti_window_own()); in place the block may go over
 * it, anywhere. */
static tti_place own_of(const tti_window_call *c, size_t at, size_t region)
{
    if (c->shape->in_place) return tti_place_at(TTI_WINDOW, region);
    return tti_place_at(TTI_INPUT, tti_shape_sent(c->shape, c->shape->rank).at + at);
}

static void combine(const tti_window_call *c, int k)
{
    const int rank = c->shape->rank;
    const tti_extent own = {0, tti_shape_own_bytes(c->shape)}, block = tti_blocks_cut(&c->blocks, own, k);
    const size_t region = tti_blocks_region_for(&c->blocks, k, rank, c->shape->size);
    tti_window_combine_with(c->builder, rank, own_of(c, block.at, region), tti_window_all(c->shape), region,
                            tti_place_at(TTI_OUTPUT, block.at), block.bytes);
}

void tti_reduce_scatter_block_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_largest(shape, &shape->send);
    if (tti_combines_alone(shape, builder, bytes)) return;
    const tti_window_call call = {.shape = shape,
                                  .builder = builder,
                                  .blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES * shape->size)};
    tti_window_exchange(&call, fill, combine);
}
