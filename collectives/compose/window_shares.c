/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_shares.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* A WINDOW has regions for blocks, and behind them for the parts of blocks that its rank combines. */
typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int with; /* whom each tells that it has come, and by whom it hears that all have */
    tti_blocks blocks;
    size_t out, out_stride; /* where its first part is, and from there to the next */
} work;

/* In one block if there is room for that and a part of it: each block more is a meeting more. */
static tti_blocks cut(const tti_shape *shape, int *regions)
{
    const size_t ranks = (size_t)shape->size, spare = shape->element + 2 * TTI_LINE;
    tti_shape in = *shape;
    for (*regions = 1; *regions <= TTI_WINDOW_HALVES; ++*regions) {
        const size_t lost = (size_t)*regions * spare;
        in.window = shape->window > lost ? (shape->window - lost) / (ranks + 1) * ranks : 0;
        const bool fits = *regions == 1
                              ? tti_shape_bytes(shape) <= in.window / TTI_LINE * TTI_LINE
                              : in.window / TTI_WINDOW_HALVES >= shape->window / (2 * TTI_WINDOW_HALVES);
        if (fits) return tti_blocks_open(&in, tti_shape_bytes(shape), *regions);
    }
    *regions = TTI_WINDOW_HALVES;
    return tti_blocks_open(shape, tti_shape_bytes(shape), 2 * TTI_WINDOW_HALVES);
}

/* Of block `k`, the part of a rank: where it begins in the block, and its bytes. */
static tti_extent part_of(const work *w, int k, int rank)
{
    const size_t element = w->shape->element, count = tti_blocks_bytes(&w->blocks, k) / element;
    return (tti_extent){tti_part_start(count, w->shape->size, rank) * element,
                        tti_part_size(count, w->shape->size, rank) * element};
}

static size_t out_of(const work *w, int k)
{
    return w->out + (size_t)(k % TTI_WINDOW_HALVES) * w->out_stride;
}

static void show(const work *w, int k)
{
    tti_blocks_show(w->builder, &w->blocks, tti_shape_own(w->shape), k);
}

static void combine(const work *w, int k)
{
    const tti_extent own = part_of(w, k, w->shape->rank);
    const size_t at = tti_blocks_at(&w->blocks, k) + own.at;
    tti_window_combine_with(w->builder, w->shape->rank, tti_place_plus(tti_shape_own(w->shape), at),
                            tti_window_all(w->shape), tti_blocks_half(&w->blocks, k) + own.at,
                            tti_place_at(TTI_WINDOW, out_of(w, k)), own.bytes);
}

static void collect(const work *w, int k)
{
    for (int i = 0; i < w->shape->size; i++) {
        const int rank = tti_ring(w->shape->rank, i, w->shape->size);
        const tti_extent part = part_of(w, k, rank);
        const tti_place to = tti_place_at(TTI_OUTPUT, tti_blocks_at(&w->blocks, k) + part.at);
        if (i == 0)
            tti_build_copy(w->builder, tti_place_at(TTI_WINDOW, out_of(w, k)), to, part.bytes);
        else
            tti_build_copy_from(w->builder, rank, out_of(w, k), to, part.bytes);
    }
}

static void meet(const work *w, int number)
{
    tti_build_post(w->builder, w->with);
    tti_build_await_post(w->builder, w->with, number);
}

/* Whoever comes last to a meeting tells all. */
static void play_last(const work *w)
{
    for (int number = 1; number <= w->blocks.count + 1; number++) {
        tti_build_await_post(w->builder, TTI_ALL, number);
        tti_build_post(w->builder, TTI_ALL);
    }
}

/* A meeting says that the parts of a block are combined, and that the next block is there.
 *
 *   meeting 1     b0 in
 *   meeting 2     b0 combined, b1 in
 *   meeting 3     b1 combined, b2 in       (b0 collected)
 */
void tti_window_share_out(const tti_shape *shape, tti_builder *builder, bool counted)
{
    int regions;
    work w = {.shape = shape,
              .builder = builder,
              .with = counted ? shape->size : TTI_ALL,
              .blocks = cut(shape, &regions)};
    w.out = tti_blocks_region(&w.blocks, regions);
    w.out_stride = tti_lines(part_of(&w, 0, 0).bytes);
    if (shape->rank == shape->size) {
        play_last(&w);
        return;
    }
    show(&w, 0);
    meet(&w, 1);
    for (int k = 0; k < w.blocks.count; k++) {
        if (k + 1 < w.blocks.count) show(&w, k + 1);
        combine(&w, k);
        meet(&w, k + 2);
        collect(&w, k);
    }
}
