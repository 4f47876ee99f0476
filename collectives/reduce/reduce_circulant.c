/* SPDX-License-Identifier: BSD-3-Clause */
/* Bcast's algorithm of this name backwards: what a rank gets there from another, it sends here to that one,
 * once all that it sends there has come here and is combined. (⌈log2 P⌉ + n/c - 1)(α + c(β + γ)); each rank
 * sends each chunk c of n once. Sums go around the ring, so the operation must commute.
 *
 *   4 ranks, skips 1 2       round 3              round 2               round 1      round 0
 *   root 0, chunks abc       2 → 0: c             1 → 0: c              2 → 0: b     1 → 0: a
 *                            1 → 3: b, 3 → 1: c   2 → 1: a, 3 → 2: b    3 → 1: a
 *
 * J. Träff, "Optimal broadcast schedules in logarithmic time with applications to broadcast, all-broadcast,
 * reduction and all-reduction", 2024 (arXiv 2407.18004). */
#include "collectives/compose/buffers.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/tree.h"
#include "collectives/reduce/reduce.h"

/* Each of a chunk: what comes in a round is combined while the next comes. */
#define BUFFERS 4

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int place; /* of the caller, seen from the root */
    size_t bytes, chunk;
    tti_place sum;       /* all chunks */
    tti_buffers buffers; /* for those that come in */
    int *taken;          /* how many contributions each chunk has of others */
    int received;        /* messages so far */
} call;

static int rank_of(const call *c, int distance)
{
    return tti_rotate_back(tti_ring(c->place, distance, c->shape->size), c->shape->root, c->shape->size);
}

static size_t bytes_of(const call *c, int chunk)
{
    const size_t left = c->bytes - c->chunk * (size_t)chunk;
    return c->chunk < left ? c->chunk : left;
}

/* Where the caller's own, and the sum, of a chunk are. */
static tti_place own_of(const call *c, int chunk)
{
    return tti_place_plus(tti_shape_own(c->shape), c->chunk * (size_t)chunk);
}

static tti_place sum_of(const call *c, int chunk)
{
    return tti_place_plus(c->sum, c->chunk * (size_t)chunk);
}

static void take(call *c, int chunk, int distance)
{
    const size_t n = bytes_of(c, chunk);
    const bool first = c->taken[chunk]++ == 0 && c->sum.space != tti_shape_own(c->shape).space;
    const tti_place to = first ? sum_of(c, chunk) : tti_buffers_at(&c->buffers, c->received++);
    tti_build_recv(c->builder, to, n, rank_of(c, distance), chunk);
    tti_build_reduce(c->builder, first ? own_of(c, chunk) : to, sum_of(c, chunk), n);
}

static void give(const call *c, int chunk, int distance)
{
    const tti_place from = c->taken[chunk] > 0 ? sum_of(c, chunk) : own_of(c, chunk);
    tti_build_send(c->builder, from, bytes_of(c, chunk), rank_of(c, distance), chunk);
}

static bool open_call(call *c, int chunks)
{
    const tti_shape *s = c->shape;
    c->sum = s->rank == s->root ? tti_place_at(TTI_OUTPUT, 0) : tti_build_scratch(c->builder, c->bytes);
    c->buffers = tti_buffers_open(c->builder, c->chunk, s->size > 1 ? BUFFERS : 0);
    c->taken = tti_build_numbers(c->builder, chunks);
    for (int i = 0; c->taken != NULL && i < chunks; i++)
        c->taken[i] = 0;
    return c->taken != NULL;
}

void tti_reduce_circulant(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .bytes = tti_shape_bytes(shape)};
    const size_t chunk = tti_chunk_elements(shape);
    c.chunk = chunk < c.bytes ? chunk : c.bytes;
    c.place = tti_rotate(shape->rank, shape->root, shape->size);
    const int chunks = c.bytes > 0 ? (int)((c.bytes + c.chunk - 1) / c.chunk) : 0;
    if (chunks == 0 || !open_call(&c, chunks)) return;
    tti_circulant_pass pass;
    tti_circulant_pass_open(shape->size, c.place, chunks, &pass);
    for (int t = pass.own.number - 1; t >= 0; t--) {
        const int k = tti_circulant_skip(&pass.own, t), skip = pass.graph.skip[k];
        const int in = tti_circulant_block(&pass.beyond[k], t), out = tti_circulant_block(&pass.own, t);
        if (in >= 0) take(&c, in, skip);
        if (out >= 0) give(&c, out, -skip);
    }
    if (shape->size == 1) tti_build_copy(builder, tti_shape_own(shape), c.sum, c.bytes);
}
