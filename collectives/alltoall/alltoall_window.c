/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows a piece of each other's block and copies from all what is for itself. 2P·nβ at each, one meeting
 * a piece. */
#include "collectives/alltoall/alltoall.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

static void fill(const tti_window_call *c, int k)
{
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, -i, c->shape->size);
        const size_t from = (size_t)rank * c->blocks.bytes + tti_blocks_at(&c->blocks, k);
        tti_build_copy(c->builder, tti_place_plus(tti_shape_own(c->shape), from),
                       tti_place_at(TTI_WINDOW, tti_blocks_region_for(&c->blocks, k, rank, c->shape->size)),
                       tti_blocks_bytes(&c->blocks, k));
    }
}

static void collect(const tti_window_call *c, int k)
{
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        const size_t to = (size_t)rank * c->blocks.bytes + tti_blocks_at(&c->blocks, k);
        tti_build_copy_from(c->builder, rank,
                            tti_blocks_region_for(&c->blocks, k, c->shape->rank, c->shape->size),
                            tti_place_at(TTI_OUTPUT, to), tti_blocks_bytes(&c->blocks, k));
    }
}

/* What is in piece `k` of a rank's own block, for which nobody waits. */
static void keep_own(const tti_window_call *c, int k)
{
    const size_t at = (size_t)c->shape->rank * c->blocks.bytes + tti_blocks_at(&c->blocks, k);
    if (!c->shape->in_place)
        tti_build_copy(c->builder, tti_place_at(TTI_INPUT, at), tti_place_at(TTI_OUTPUT, at),
                       tti_blocks_bytes(&c->blocks, k));
}

void tti_alltoall_window(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    tti_window_call call = {.shape = shape, .builder = builder, .meanwhile = keep_own};
    if (shape->size == 1 || bytes == 0) {
        call.blocks = (tti_blocks){bytes, bytes, bytes, 1};
        keep_own(&call, 0);
        return;
    }
    call.blocks = tti_blocks_open(shape, bytes, TTI_WINDOW_HALVES * shape->size);
    tti_window_exchange(&call, fill, collect);
}
