/* SPDX-License-Identifier: BSD-3-Clause */
/* The others show their data block by block, the root combines them. (P - 1)·nγ at the root. */
#include "collectives/compose/alone.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/reduce/reduce.h"

/* In place what is combined goes where the root's own data are: these wait in its WINDOW. */
static tti_place own_of(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k)
{
    if (!shape->in_place) return tti_place_plus(tti_shape_own(shape), tti_blocks_at(blocks, k));
    tti_blocks_show(builder, blocks, tti_shape_own(shape), k);
    return tti_place_at(TTI_WINDOW, tti_blocks_half(blocks, k));
}

/* Of less it costs more to wait for each than for all; more does not stay in the first cache meanwhile. */
#define COMING_LEAST ((size_t)512)
#define COMING_MOST ((size_t)8 << 10)

/* Each rank's as it comes, the last one's first, so that what is there comes from higher ranks than what is
 * combined with it. */
static void combine_coming(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k,
                           tti_place own)
{
    const size_t bytes = tti_blocks_bytes(blocks, k), region = tti_blocks_half(blocks, k);
    const tti_place to = tti_place_at(TTI_OUTPUT, tti_blocks_at(blocks, k));
    for (int r = shape->size - 1; r >= 0; r--) {
        const bool last = r == shape->size - 1;
        if (r != shape->rank) tti_build_await_post(builder, r, k + 1);
        if (r == shape->rank)
            (last ? tti_build_copy : tti_build_reduce)(builder, own, to, bytes);
        else
            (last ? tti_build_copy_from : tti_build_reduce_from)(builder, r, region, to, bytes);
    }
}

static void combine_all(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks, int k,
                        tti_place own)
{
    tti_build_await_post(builder, TTI_ALL, k + 1);
    tti_window_combine_with(builder, shape->rank, own, tti_window_all(shape), tti_blocks_half(blocks, k),
                            tti_place_at(TTI_OUTPUT, tti_blocks_at(blocks, k)), tti_blocks_bytes(blocks, k));
}

/* The root says that a block has been read where somebody waits to fill its place. */
static void combine_blocks(const tti_shape *shape, tti_builder *builder, const tti_blocks *blocks)
{
    const bool coming = blocks->bytes >= COMING_LEAST && blocks->bytes <= COMING_MOST && shape->size > 2;
    for (int k = 0; k < blocks->count; k++) {
        const tti_place own = own_of(shape, builder, blocks, k);
        (coming ? combine_coming : combine_all)(shape, builder, blocks, k, own);
        if (k + TTI_WINDOW_HALVES < blocks->count) tti_build_post(builder, TTI_ALL);
    }
}

void tti_reduce_window(const tti_shape *shape, tti_builder *builder)
{
    if (tti_combines_alone(shape, builder, tti_shape_bytes(shape))) return;
    const tti_blocks blocks = tti_blocks_open(shape, tti_shape_bytes(shape), TTI_WINDOW_HALVES);
    if (shape->rank == shape->root) {
        combine_blocks(shape, builder, &blocks);
        return;
    }
    for (int k = 0; k < blocks.count; k++) {
        if (k >= TTI_WINDOW_HALVES) tti_build_await_post(builder, shape->root, k - TTI_WINDOW_HALVES + 1);
        tti_blocks_show(builder, &blocks, tti_shape_own(shape), k);
        tti_build_post(builder, shape->root);
    }
}
