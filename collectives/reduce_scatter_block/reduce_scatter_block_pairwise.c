/* SPDX-License-Identifier: BSD-3-Clause */
/* In step t each rank sends the rank t beyond its contribution to that one's block, and combines what comes
 * from the rank t before: P - 1 steps, each contribution moves once.
 *
 *   4 ranks, at rank 2      step 1: r1 ∘ r2      step 2: r0 ∘ (r1 ∘ r2)      step 3: … ∘ r3
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (pairwise exchange). */
#include "collectives/compose/buffers.h"
#include "collectives/patterns/parts.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

/* Messages under way at once each way. */
#define UNDER_WAY 4

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t block;        /* bytes of the caller's */
    tti_buffers buffers; /* for contributions to it that come in */
    tti_place low, high; /* where the parts of the ranks up to the caller, and of those above, are combined */
    int sent[UNDER_WAY], sends;
} call;

static bool is_highest(const call *c)
{
    return c->shape->rank == c->shape->size - 1;
}

/* Of a table the caller's block may begin, in place, where its result is to be. */
static bool lies_in_the_way(const call *c)
{
    return c->shape->in_place && is_highest(c) && tti_shape_sent(c->shape, c->shape->rank).at < c->block;
}

/* The caller's own contribution to its own block is the first of the lower part. It is combined where it is
 * if it may be overwritten; the part that is last combined is, not in place, where the result is to be. */
static void open_parts(call *c)
{
    const tti_shape *s = c->shape;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const tti_place own = tti_place_plus(tti_shape_own(s), tti_shape_sent(s, s->rank).at);
    c->low = own;
    if (s->rank > 0 && (!s->in_place || lies_in_the_way(c))) {
        c->low = is_highest(c) && !s->in_place ? output : tti_build_scratch(c->builder, c->block);
        tti_build_copy(c->builder, own, c->low, c->block);
    }
    c->high = s->in_place && !is_highest(c) ? tti_build_scratch(c->builder, c->block) : output;
}

/* The block of the rank `step` beyond goes out; no more than UNDER_WAY are on their way. */
static void give(call *c, int step)
{
    const int peer = tti_ring(c->shape->rank, step, c->shape->size), turn = c->sends % UNDER_WAY;
    const tti_extent block = tti_shape_sent(c->shape, peer);
    const int send =
        tti_build_send(c->builder, tti_place_plus(tti_shape_own(c->shape), block.at), block.bytes, peer, 0);
    if (send < 0) return;
    if (c->sends++ >= UNDER_WAY) tti_build_after(c->builder, c->sent[turn]);
    c->sent[turn] = send;
}

/* The own block comes in from the rank `step` before: from those below, nearest first, then from the highest
 * down to the next one. So each goes before what its part has, and the operation need not commute. */
static void take(const call *c, int step)
{
    const int peer = tti_ring(c->shape->rank, -step, c->shape->size);
    const bool first_high = step == c->shape->rank + 1;
    const tti_place to = first_high ? c->high : tti_buffers_at(&c->buffers, step);
    tti_build_recv(c->builder, to, c->block, peer, 0);
    if (!first_high) tti_build_reduce(c->builder, to, step <= c->shape->rank ? c->low : c->high, c->block);
}

void tti_reduce_scatter_block_pairwise(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .block = tti_shape_own_bytes(shape)};
    c.buffers = tti_buffers_open(builder, c.block, shape->size > 1 ? UNDER_WAY : 0);
    open_parts(&c);
    for (int step = 1; step < shape->size; step++) {
        give(&c, step);
        take(&c, step);
    }
    tti_place result = c.low;
    if (!is_highest(&c)) {
        tti_build_reduce(builder, c.low, c.high, c.block);
        result = c.high;
    }
    tti_build_copy(builder, result, tti_place_at(TTI_OUTPUT, 0), c.block);
}
