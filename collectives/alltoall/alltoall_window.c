/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/alltoall/alltoall.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

#define HALVES 2

/* Of piece `k` of the block for a rank: where it lies in the window of who has it. */
static size_t place_of(const tti_shape *shape, const tti_window *window, int k, int rank)
{
    return tti_window_region(window, k % HALVES * shape->size + rank);
}

static void fill(const tti_shape *shape, tti_builder *builder, const tti_window *window, int k)
{
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, -i, shape->size);
        const size_t from = (size_t)rank * window->bytes + tti_window_at(window, k);
        tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), from),
                       tti_place_at(TTI_WINDOW, place_of(shape, window, k, rank)),
                       tti_window_bytes(window, k));
    }
}

static void collect(const tti_shape *shape, tti_builder *builder, const tti_window *window, int k)
{
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        const size_t to = (size_t)rank * window->bytes + tti_window_at(window, k);
        tti_build_copy_from(builder, rank, place_of(shape, window, k, shape->rank),
                            tti_place_at(TTI_OUTPUT, to), tti_window_bytes(window, k));
    }
}

/* Each shows a piece of each other's block and copies from all what is for itself. A post says that a round
 * of pieces is there, and that all before it have been read. */
void tti_alltoall_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), own = (size_t)shape->rank * bytes;
    if (!shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, own), tti_place_at(TTI_OUTPUT, own), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_window window = tti_window_open(shape, bytes, HALVES * shape->size);
    fill(shape, builder, &window, 0);
    tti_build_post(builder, TTI_ALL);
    for (int k = 0; k < window.count; k++) {
        tti_build_await_post(builder, TTI_ALL, k + 1);
        if (k + 1 < window.count) fill(shape, builder, &window, k + 1);
        collect(shape, builder, &window, k);
        if (k + 1 < window.count) tti_build_post(builder, TTI_ALL);
    }
}
