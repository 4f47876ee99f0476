/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allgather/allgather.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

#define HALVES 2

static void fill(const tti_window_call *c, int k)
{
    const size_t own = c->shape->in_place ? (size_t)c->shape->rank * c->window.bytes : 0;
    tti_build_copy(c->builder, tti_place_plus(tti_shape_own(c->shape), own + tti_window_at(&c->window, k)),
                   tti_place_at(TTI_WINDOW, tti_window_region(&c->window, k % HALVES)),
                   tti_window_bytes(&c->window, k));
}

/* The neighbours' first, so that not all read from the same rank at once. */
static void collect(const tti_window_call *c, int k)
{
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        const size_t to = (size_t)rank * c->window.bytes + tti_window_at(&c->window, k);
        tti_build_copy_from(c->builder, rank, tti_window_region(&c->window, k % HALVES),
                            tti_place_at(TTI_OUTPUT, to), tti_window_bytes(&c->window, k));
    }
}

/* Each shows its own block by block and copies the others'. */
void tti_allgather_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (!shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0),
                       tti_place_at(TTI_OUTPUT, (size_t)shape->rank * bytes), bytes);
    if (shape->size == 1 || bytes == 0) return;
    const tti_window_call call = {
        .shape = shape, .builder = builder, .window = tti_window_open(shape, bytes, HALVES)};
    tti_window_exchange(&call, fill, collect);
}
