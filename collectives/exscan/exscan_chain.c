/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline along the chain of all ranks, as scan's: each keeps what comes, and passes it on with its own.
 * (P - 2 + n/c)·(α + c(β + γ)): for n much larger than P·c.
 *
 * P. Sanders, J. Träff, "Parallel prefix (scan) algorithms for MPI", 2006 (linear pipeline). */
#include "collectives/compose/chunks.h"
#include "collectives/exscan/exscan.h"

/* Buffers, each of a chunk: one is filled, one combined, one sent. */
#define SLOTS 3

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t at, bytes; /* the chunk */
    int number;
    tti_place slot;
} call;

static void pass_on(const call *c, tti_place sum)
{
    tti_build_send(c->builder, sum, c->bytes, c->shape->rank + 1, c->number);
}

/* What comes is the result; with the caller's own it goes on. In place, where both are in OUTPUT, the result
 * waits aside until that is sent. */
static void take(const call *c)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, c->at),
                    own = tti_place_plus(tti_shape_own(c->shape), c->at);
    const bool last = c->shape->rank == c->shape->size - 1, aside = c->shape->in_place && !last;
    tti_build_recv(c->builder, aside ? c->slot : output, c->bytes, c->shape->rank - 1, c->number);
    if (last) return;
    if (aside) {
        tti_build_reduce(c->builder, c->slot, output, c->bytes);
        pass_on(c, output);
        tti_build_copy(c->builder, c->slot, output, c->bytes);
    } else {
        tti_build_copy(c->builder, own, c->slot, c->bytes);
        tti_build_reduce(c->builder, output, c->slot, c->bytes);
        pass_on(c, c->slot);
    }
}

void tti_exscan_chain(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_elements(shape);
    const size_t stride = ((chunk < bytes ? chunk : bytes) + 63) & ~(size_t)63;
    const bool inner = shape->rank > 0 && shape->rank < shape->size - 1;
    const tti_place slots = tti_build_scratch(builder, inner ? SLOTS * stride : 0);
    call c = {.shape = shape, .builder = builder};
    for (; c.at < bytes; c.at += chunk, c.number++) {
        c.bytes = chunk < bytes - c.at ? chunk : bytes - c.at;
        c.slot = tti_place_plus(slots, stride * (size_t)(c.number % SLOTS));
        if (shape->rank > 0)
            take(&c);
        else if (shape->size > 1)
            pass_on(&c, tti_place_plus(tti_shape_own(shape), c.at));
    }
}
