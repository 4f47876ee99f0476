/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks on a circulant graph: in a round each rank sends one to the rank a skip beyond it and gets one from
 * the rank as far before it; which, a schedule tells that each computes for itself and its neighbours, in
 * O(log² P). Chunks c of n are everywhere after ⌈log2 P⌉ + n/c - 1 rounds, which is the least that there can
 * be: (log P + n/c - 1)(α + cβ). Each rank gets each chunk once.
 *
 *   4 ranks, skips 1 2       round 0      round 1           round 2                round 3
 *   root 0, chunks abc       0 → 1: a     0 → 2: b          0 → 1: c               0 → 2: c
 *                                         1 → 3: a          1 → 2: a, 2 → 3: b     3 → 1: b, 1 → 3: c
 *
 * J. Träff, "Optimal broadcast schedules in logarithmic time with applications to broadcast, all-broadcast,
 * reduction and all-reduction", 2024 (arXiv 2407.18004). */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/chunks.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/tree.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int place; /* of the caller, seen from the root */
    size_t bytes, chunk;
} call;

static int rank_of(const call *c, int place)
{
    return tti_rotate_back(place, c->shape->root, c->shape->size);
}

static void pass_on(const call *c, int chunk, int distance, bool sends)
{
    const size_t at = c->chunk * (size_t)chunk, left = c->bytes - at;
    const size_t n = c->chunk < left ? c->chunk : left;
    const int peer = rank_of(c, tti_ring(c->place, distance, c->shape->size));
    if (sends)
        tti_build_send(c->builder, tti_place_at(TTI_OUTPUT, at), n, peer, chunk);
    else
        tti_build_recv(c->builder, tti_place_at(TTI_OUTPUT, at), n, peer, chunk);
}

void tti_bcast_circulant(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .bytes = tti_shape_bytes(shape)};
    if (c.bytes == 0) return;
    c.chunk = tti_chunk_bytes(shape);
    c.place = tti_rotate(shape->rank, shape->root, shape->size);
    tti_circulant_pass pass;
    tti_circulant_pass_open(shape->size, c.place, (int)((c.bytes + c.chunk - 1) / c.chunk), &pass);
    for (int t = 0; t < pass.own.number; t++) {
        const int k = tti_circulant_skip(&pass.own, t), skip = pass.graph.skip[k];
        const int in = tti_circulant_block(&pass.own, t), out = tti_circulant_block(&pass.beyond[k], t);
        if (out >= 0) pass_on(&c, out, skip, true);
        if (in >= 0) pass_on(&c, in, -skip, false);
    }
}
