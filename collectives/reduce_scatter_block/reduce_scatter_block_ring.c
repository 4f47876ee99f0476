/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum of each block goes once around the ring, from the rank beyond the one that it is for, and each adds
 * its own: P - 1 steps between neighbours alone. In chunks, so that one is combined while the next one comes:
 * (P - 1)(α·n/c + n(β + γ)). Sums go around the ring, so the operation must commute. Parts may differ in
 * size, as long as all ranks know them all.
 *
 *   3 ranks, rank 0     step 0: sends 2, adds to 1 of 2        step 1: sends 1 of 2, 0; gets 0 of 1, 2
 *
 * P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009. */
#include "collectives/compose/buffers.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/parts.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

/* For sums on their way: one is sent while the other is filled. */
#define BUFFERS 2

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t chunk;
    tti_buffers buffers;
} call;

static tti_extent block_of(const call *c, int rank)
{
    return tti_shape_sent(c->shape, rank);
}

static tti_place own(const call *c, int rank)
{
    return tti_place_plus(tti_shape_own(c->shape), block_of(c, rank).at);
}

/* Where the sum that comes in a step is kept: the last one is the caller's own, which is where it is to be,
 * unless contributions are still there. */
static tti_place kept(const call *c, int step)
{
    if (step == c->shape->size - 2 && !c->shape->in_place) return tti_place_at(TTI_OUTPUT, 0);
    return tti_buffers_at(&c->buffers, step);
}

/* Chunk `at` of a step: the sum of the block of one rank goes on, that of the next one before it comes. */
static void pass(const call *c, int step, size_t at, int tag)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const int out = tti_ring(rank, -step - 1, size), in = tti_ring(rank, -step - 2, size);
    const tti_extent going = block_of(c, out), coming = block_of(c, in);
    const size_t left = going.bytes > at ? going.bytes - at : 0,
                 more = coming.bytes > at ? coming.bytes - at : 0;
    const tti_place sum = tti_place_plus(step == 0 ? own(c, out) : kept(c, step - 1), at),
                    to = tti_place_plus(kept(c, step), at);
    const size_t bytes = more < c->chunk ? more : c->chunk;
    tti_build_send(c->builder, sum, left < c->chunk ? left : c->chunk, tti_ring(rank, 1, size), tag);
    tti_build_recv(c->builder, to, bytes, tti_ring(rank, -1, size), tag);
    tti_build_reduce(c->builder, tti_place_plus(own(c, in), at), to, bytes);
}

void tti_reduce_scatter_block_ring(const tti_shape *shape, tti_builder *builder)
{
    const size_t most = tti_shape_largest(shape, &shape->send), bytes = tti_shape_own_bytes(shape);
    call c = {.shape = shape, .builder = builder, .chunk = tti_chunk_of_parts(shape, most, shape->size)};
    c.buffers = tti_buffers_open(builder, most, shape->size > 1 ? BUFFERS : 0);
    for (int step = 0; step < shape->size - 1; step++) {
        int tag = step;
        for (size_t at = 0; at < most; at += c.chunk, tag += shape->size)
            pass(&c, step, at, tag);
    }
    const tti_place result = shape->size > 1 ? kept(&c, shape->size - 2) : own(&c, shape->rank);
    tti_build_copy(builder, result, tti_place_at(TTI_OUTPUT, 0), bytes);
}
