/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline along the chain of all ranks: chunk c is combined from rank to rank while chunk c+1 follows
 * behind it.
 *
 *   time        1     2     3     4          to the root, rank 0
 *   2 → 1       c0    c1    c2
 *   1 → 0             c0    c1    c2
 *
 * Each combines its own with what those after it have, so the operation need not commute: where it does not,
 * the chain ends at rank 0, which passes the result on to the root.
 *
 * J. Pješivac-Grbović et al., "Performance analysis of MPI collective operations", 2007 (pipeline). */
#include "collectives/compose/buffers.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/tree.h"
#include "collectives/reduce/reduce.h"

/* Each of a chunk: one is filled, one combined, one sent. */
#define BUFFERS 3

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int v, turn; /* place in the chain, and the rank that is its end, place 0 */
    tti_buffers buffers;
} call;

static int rank_of(const call *c, int v)
{
    return tti_rotate_back(v, c->turn, c->shape->size);
}

/* Combines a chunk of the caller's with what comes along the chain; returns where that is. */
static tti_place take_in(const call *c, size_t at, size_t bytes, int number)
{
    const tti_place own = tti_place_plus(tti_shape_own(c->shape), at);
    if (c->v + 1 == c->shape->size) return own;
    const bool ends = c->v == 0 && c->shape->rank == c->shape->root;
    const tti_place sum =
        ends && own.space != TTI_OUTPUT ? tti_place_at(TTI_OUTPUT, at) : tti_buffers_at(&c->buffers, number);
    tti_build_recv(c->builder, sum, bytes, rank_of(c, c->v + 1), 2 * number);
    tti_build_reduce(c->builder, own, sum, bytes);
    return sum;
}

void tti_reduce_chain(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_elements(shape);
    call c = {.shape = shape, .builder = builder, .turn = shape->commutes ? shape->root : 0};
    c.v = tti_rotate(shape->rank, c.turn, shape->size);
    c.buffers = tti_buffers_open(builder, chunk < bytes ? chunk : bytes, BUFFERS);
    const bool root = shape->rank == shape->root;
    int number = 0;
    for (size_t at = 0; at < bytes; at += chunk, number++) {
        const size_t n = chunk < bytes - at ? chunk : bytes - at;
        const tti_place sum = take_in(&c, at, n, number), output = tti_place_at(TTI_OUTPUT, at);
        if (c.v > 0)
            tti_build_send(builder, sum, n, rank_of(&c, c.v - 1), 2 * number);
        else if (root)
            tti_build_copy(builder, sum, output, n);
        else
            tti_build_send(builder, sum, n, shape->root, 2 * number + 1);
        if (root && c.turn != shape->root) tti_build_recv(builder, output, n, c.turn, 2 * number + 1);
    }
}
