/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

#define HALVES 2

static void fill(const tti_shape *shape, tti_builder *builder, const tti_window *window, int k)
{
    const size_t own = shape->in_place ? (size_t)shape->rank * window->bytes : 0;
    tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), own + tti_window_at(window, k)),
                   tti_place_at(TTI_WINDOW, tti_window_region(window, k % HALVES)),
                   tti_window_bytes(window, k));
}

/* The neighbours' first, so that not all read from the same rank at once. */
static void collect(const tti_shape *shape, tti_builder *builder, const tti_window *window, int k)
{
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        tti_build_copy_from(builder, rank, tti_window_region(window, k % HALVES),
                            tti_place_at(TTI_OUTPUT, (size_t)rank * window->bytes + tti_window_at(window, k)),
                            tti_window_bytes(window, k));
    }
}

/* Each shows its own block by block and copies the others'. A post says that a block is there, and that all
 * blocks before it have been read. */
void tti_allgather_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (!shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0),
                       tti_place_at(TTI_OUTPUT, (size_t)shape->rank * bytes), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_window window = tti_window_open(shape, bytes, HALVES);
    fill(shape, builder, &window, 0);
    tti_build_post(builder, TTI_ALL);
    for (int k = 0; k < window.count; k++) {
        tti_build_await_post(builder, TTI_ALL, k + 1);
        if (k + 1 < window.count) fill(shape, builder, &window, k + 1);
        collect(shape, builder, &window, k);
        if (k + 1 < window.count) tti_build_post(builder, TTI_ALL);
    }
}
