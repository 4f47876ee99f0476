/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks go dimension by dimension: all that moves by the same number of places along one is one message. The
 * block for offset number i is called block i at each rank that it passes.
 *
 *   corner (1,1), edges (1,0), (0,1) of a plane:      ┌───┐ (0,1)+(1,1) ┌───┐
 *   3 blocks, 2 messages                              │   │             │ → │
 *                                                     └───┘    (1,0)    └─↓─┘  (0,1) of the one above and
 *                                                                              its own (0,1): the second one
 *
 * Träff and Hunold, Cartesian Collective Communication (2019). With offsets of -1, 0, 1 along d dimensions
 * 2d messages in place of 3^d - 1; a block is sent once for each dimension along which it moves. */
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

/* Where a block is that has not left INPUT, or is in OUTPUT already. */
#define UNMOVED SIZE_MAX
#define ARRIVED (SIZE_MAX - 1)

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_stencil *stencil;
    bool whole;         /* all targets get the same */
    size_t *at;         /* of each block that is here, in SCRATCH */
    int *block, *piece; /* of a message: its blocks, and which of its pieces each is */
    int tag;
} combination;

/* Whether block i is here when all have moved along the first `dims` dimensions: it has a source and a
 * target. */
static bool is_here(const combination *c, int i, int dims)
{
    const tti_grid *grid = &c->stencil->grid;
    bool there = true;
    for (int d = 0; d < grid->dims && there; d++) {
        const int64_t by = tti_stencil_offset(c->stencil, i, d);
        there = tti_grid_beside(grid, c->shape->rank, d, d < dims ? -by : by) >= 0;
    }
    return there;
}

/* Whether the two come from the same rank, having moved along the first `dims` dimensions. */
static bool came_together(const tti_stencil *stencil, int i, int k, int dims)
{
    for (int d = 0; d < dims; d++)
        if (tti_stencil_offset(stencil, i, d) != tti_stencil_offset(stencil, k, d)) return false;
    return true;
}

/* One piece for all blocks that are the same data. */
static int find_piece(const combination *c, int count, int pieces, int dims)
{
    for (int k = 0; k < count && c->whole; k++)
        if (came_together(c->stencil, c->block[count], c->block[k], dims)) return c->piece[k];
    return pieces;
}

/* The blocks of the message that moves by `by` along `dim`, at a rank that has moved along `dims` dimensions.
 * Returns how many, and how many pieces they are. */
static int list_blocks(combination *c, int dim, int by, int dims, int *pieces)
{
    int count = 0;
    *pieces = 0;
    for (int i = 0; i < c->stencil->count; i++) {
        if (tti_stencil_offset(c->stencil, i, dim) != by || !is_here(c, i, dims)) continue;
        c->block[count] = i;
        c->piece[count] = find_piece(c, count, *pieces, dims);
        *pieces += c->piece[count] == *pieces;
        count++;
    }
    return count;
}

static tti_place place_of(const combination *c, int i)
{
    if (c->at[i] != UNMOVED) return tti_place_at(TTI_SCRATCH, c->at[i]);
    return tti_place_at(TTI_INPUT, c->whole ? 0 : (size_t)i * tti_shape_bytes(c->shape));
}

/* A single piece goes from where it lies. */
static void send_blocks(combination *c, int count, int pieces, int to)
{
    const size_t bytes = tti_shape_bytes(c->shape);
    tti_place from = count > 0 ? place_of(c, c->block[0]) : tti_place_at(TTI_INPUT, 0);
    if (pieces > 1) from = tti_build_scratch(c->builder, (size_t)pieces * bytes);
    for (int k = 0, next = 0; k < count && pieces > 1; k++) {
        if (c->piece[k] != next) continue;
        tti_build_copy(c->builder, place_of(c, c->block[k]), tti_place_plus(from, (size_t)next++ * bytes),
                       bytes);
    }
    tti_build_send(c->builder, from, (size_t)pieces * bytes, to, c->tag);
}

static bool is_last_move(const tti_stencil *stencil, int i, int dim)
{
    for (int d = dim + 1; d < stencil->grid.dims; d++)
        if (tti_stencil_offset(stencil, i, d) != 0) return false;
    return true;
}

/* A single block that moves no further comes to where it belongs. */
static void receive_blocks(combination *c, int count, int pieces, int dim, int from)
{
    const size_t bytes = tti_shape_bytes(c->shape);
    const bool arrives = count == 1 && is_last_move(c->stencil, c->block[0], dim);
    const int source = tti_neighbours_source(c->shape->neighbours, c->block[0]);
    const tti_place to = arrives ? tti_place_at(TTI_OUTPUT, (size_t)source * bytes)
                                 : tti_build_scratch(c->builder, (size_t)pieces * bytes);
    tti_build_recv(c->builder, to, (size_t)pieces * bytes, from, c->tag);
    for (int k = 0; k < count; k++)
        c->at[c->block[k]] = arrives ? ARRIVED : to.offset + (size_t)c->piece[k] * bytes;
}

/* What comes round to the rank itself is where it was. */
static void move(combination *c, int dim, int by)
{
    const tti_grid *grid = &c->stencil->grid;
    const int rank = c->shape->rank, to = tti_grid_beside(grid, rank, dim, by);
    int pieces;
    c->tag++;
    if (to == rank) return;
    int count = list_blocks(c, dim, by, dim, &pieces);
    if (count > 0) send_blocks(c, count, pieces, to);
    count = list_blocks(c, dim, by, dim + 1, &pieces);
    if (count > 0) receive_blocks(c, count, pieces, dim, tti_grid_beside(grid, rank, dim, -(int64_t)by));
}

static void deliver(const combination *c)
{
    const size_t bytes = tti_shape_bytes(c->shape);
    for (int i = 0; i < c->stencil->count; i++) {
        const int source = tti_neighbours_source(c->shape->neighbours, i);
        if (c->shape->neighbours->sources.ranks[source] >= 0 && c->at[i] != ARRIVED)
            tti_build_copy(c->builder, place_of(c, i), tti_place_at(TTI_OUTPUT, (size_t)source * bytes),
                           bytes);
    }
}

void tti_neighbor_combined(const tti_shape *shape, tti_builder *builder, bool whole)
{
    const tti_stencil *stencil = shape->neighbours->stencil;
    if (stencil == NULL || tti_shape_bytes(shape) == 0) {
        tti_neighbor_direct(shape, builder, whole);
        return;
    }
    const int count = stencil->count;
    combination c = {.shape = shape, .builder = builder, .stencil = stencil, .whole = whole};
    c.at = tti_build_sizes(builder, count);
    c.block = tti_build_numbers(builder, count);
    c.piece = tti_build_numbers(builder, count);
    if (c.at == NULL || c.block == NULL || c.piece == NULL) return;
    for (int i = 0; i < count; i++)
        c.at[i] = UNMOVED;
    for (int d = 0; d < stencil->grid.dims; d++)
        for (int i = 0; i < count; i++)
            if (tti_stencil_offset(stencil, i, d) != 0 && tti_stencil_is_first(stencil, i, d))
                move(&c, d, tti_stencil_offset(stencil, i, d));
    deliver(&c);
}
