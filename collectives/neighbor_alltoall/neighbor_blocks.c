/* SPDX-License-Identifier: BSD-3-Clause */
/* Each shows a block of its part for each target, or of the one that all have, and copies from its sources
 * the blocks that are for itself. 2d·nβ for d neighbours, one meeting of all a block. Where nobody knows the
 * edges' places, or windows have no room for so many, parts are messages.
 *
 *   WINDOW of 0     block k of 0→1 │ of 0→2 │ of 0→3 ║ block k + 1 of 0→1 │ of 0→2 │ of 0→3
 */
#include "collectives/compose/window_blocks.h"
#include "collectives/neighbor_alltoall/neighbor_direct.h"

#define HALVES 2

/* The region of a rank's for its edge `edge` of `edges`. */
static size_t region(const tti_window_call *c, int k, int edge, int edges)
{
    return tti_blocks_region_for(&c->blocks, k, edge, edges);
}

static void show(const tti_window_call *c, int k, int edge, int edges, tti_extent part)
{
    tti_build_copy(c->builder, tti_place_at(TTI_INPUT, part.at + tti_blocks_at(&c->blocks, k)),
                   tti_place_at(TTI_WINDOW, region(c, k, edge, edges)), tti_blocks_bytes(&c->blocks, k));
}

static void fill_parts(const tti_window_call *c, int k)
{
    const tti_neighbour_list *to = &c->shape->neighbours->targets;
    for (int i = 0; i < to->count; i++)
        if (tti_neighbor_is_other(c->shape, to->ranks[i]))
            show(c, k, i, c->shape->neighbours->most, tti_neighbor_given(c->shape, i, false));
}

static void fill_whole(const tti_window_call *c, int k)
{
    const tti_neighbour_list *to = &c->shape->neighbours->targets;
    for (int i = 0; i < to->count; i++) {
        if (!tti_neighbor_is_other(c->shape, to->ranks[i])) continue;
        show(c, k, 0, 1, tti_neighbor_given(c->shape, i, true));
        return;
    }
}

static void take(const tti_window_call *c, int k, bool whole)
{
    const tti_neighbours *all = c->shape->neighbours;
    for (int i = 0; i < all->sources.count; i++) {
        const int rank = all->sources.ranks[i];
        const size_t to = tti_shape_received(c->shape, i).at + tti_blocks_at(&c->blocks, k);
        const size_t from = whole ? region(c, k, 0, 1) : region(c, k, all->places[i].index, all->most);
        if (tti_neighbor_is_other(c->shape, rank))
            tti_build_copy_from(c->builder, rank, from, tti_place_at(TTI_OUTPUT, to),
                                tti_blocks_bytes(&c->blocks, k));
    }
}

static void take_parts(const tti_window_call *c, int k)
{
    take(c, k, false);
}

static void take_whole(const tti_window_call *c, int k)
{
    take(c, k, true);
}

void tti_neighbor_blocks_parts(const tti_shape *shape, tti_builder *builder)
{
    const int most = shape->neighbours->most;
    if (shape->neighbours->places == NULL || most == 0 || !tti_window_holds(shape, most)) {
        tti_neighbor_direct_parts(shape, builder);
        return;
    }
    tti_neighbor_keep_own(shape, builder, false);
    if (shape->size == 1 || tti_shape_bytes(shape) == 0) return;
    const tti_window_call call = {.shape = shape,
                                  .builder = builder,
                                  .blocks = tti_blocks_open(shape, tti_shape_bytes(shape), HALVES * most)};
    tti_window_exchange(&call, fill_parts, take_parts);
}

void tti_neighbor_blocks_whole(const tti_shape *shape, tti_builder *builder)
{
    tti_neighbor_keep_own(shape, builder, true);
    if (shape->size == 1 || tti_shape_bytes(shape) == 0) return;
    const tti_window_call call = {
        .shape = shape, .builder = builder, .blocks = tti_blocks_open(shape, tti_shape_bytes(shape), HALVES)};
    tti_window_exchange(&call, fill_whole, take_whole);
}
