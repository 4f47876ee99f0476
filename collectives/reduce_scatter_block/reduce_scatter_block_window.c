/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_blocks.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

#define HALVES 2

/* Of piece `k` of the contribution to a rank's block: where it lies in the window of who has it. */
static size_t place_of(const tti_shape *shape, const tti_window *window, int k, int rank)
{
    return tti_window_region(window, k % HALVES * shape->size + rank);
}

static void fill(const tti_shape *shape, tti_builder *builder, const tti_window *window, int k)
{
    for (int r = 0; r < shape->size; r++) {
        const size_t from = (size_t)r * window->bytes + tti_window_at(window, k);
        tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), from),
                       tti_place_at(TTI_WINDOW, place_of(shape, window, k, r)), tti_window_bytes(window, k));
    }
}

/* Each shows a piece of its contribution to every block and combines all contributions to its own. A post
 * says that a round of pieces is there, and that all before it have been read. */
void tti_reduce_scatter_block_window(const tti_shape *shape, tti_builder *builder)
{
    if (shape->size == 1 && !shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, 0),
                       tti_shape_bytes(shape));
    if (shape->size == 1 || shape->count == 0) return;
    const tti_window window = tti_window_open(shape, tti_shape_bytes(shape), HALVES * shape->size);
    fill(shape, builder, &window, 0);
    tti_build_post(builder, TTI_ALL);
    for (int k = 0; k < window.count; k++) {
        tti_build_await_post(builder, TTI_ALL, k + 1);
        if (k + 1 < window.count) fill(shape, builder, &window, k + 1);
        tti_window_combine(builder, shape->rank, tti_window_all(shape),
                           place_of(shape, &window, k, shape->rank),
                           tti_place_at(TTI_OUTPUT, tti_window_at(&window, k)), tti_window_bytes(&window, k));
        if (k + 1 < window.count) tti_build_post(builder, TTI_ALL);
    }
}
