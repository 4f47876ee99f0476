/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline along the chain of all ranks: each adds its own to a chunk and passes the sum on, while the next
 * chunk follows behind it. (P - 2 + n/c)·(α + c(β + γ)): for n much larger than P·c.
 *
 *   time        1     2     3     4
 *   0 → 1       c0    c1    c2
 *   1 → 2             c0    c1    c2
 *
 * P. Sanders, J. Träff, "Parallel prefix (scan) algorithms for MPI", 2006 (linear pipeline). */
#include "collectives/compose/buffers.h"
#include "collectives/compose/chunks.h"
#include "collectives/compose/prefix.h"

/* Each of a chunk: one is filled while another is combined; where the sum that goes on is not the
 * result it has one, too. */
#define BUFFERS_INCLUSIVE 2
#define BUFFERS_EXCLUSIVE 3

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int number; /* of the chunk under way; and its bytes and places */
    size_t bytes;
    tti_place own, output, buffer;
} call;

static void take(const call *c, tti_place to)
{
    tti_build_recv(c->builder, to, c->bytes, c->shape->rank - 1, c->number);
}

static void pass_on(const call *c, tti_place sum)
{
    if (c->shape->rank < c->shape->size - 1)
        tti_build_send(c->builder, sum, c->bytes, c->shape->rank + 1, c->number);
}

/* What comes is the result with the caller's own, and so it goes on. */
static void pass_inclusive(const call *c)
{
    tti_build_copy(c->builder, c->own, c->output, c->bytes);
    if (c->shape->rank > 0) {
        take(c, c->buffer);
        tti_build_reduce(c->builder, c->buffer, c->output, c->bytes);
    }
    pass_on(c, c->output);
}

/* What comes is the result; with the caller's own it goes on. In place, where both are in OUTPUT, the result
 * waits aside until that is sent. */
static void pass_exclusive(const call *c)
{
    const bool last = c->shape->rank == c->shape->size - 1, aside = c->shape->in_place && !last;
    if (c->shape->rank == 0) {
        pass_on(c, c->own);
        return;
    }
    take(c, aside ? c->buffer : c->output);
    if (last) return;
    if (aside) {
        tti_build_reduce(c->builder, c->buffer, c->output, c->bytes);
        pass_on(c, c->output);
        tti_build_copy(c->builder, c->buffer, c->output, c->bytes);
    } else {
        tti_build_copy(c->builder, c->own, c->buffer, c->bytes);
        tti_build_reduce(c->builder, c->output, c->buffer, c->bytes);
        pass_on(c, c->buffer);
    }
}

void tti_prefix_chain(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_elements(shape);
    const int count = inclusive ? BUFFERS_INCLUSIVE : BUFFERS_EXCLUSIVE;
    const bool combines = shape->rank > 0 && (inclusive || shape->rank < shape->size - 1);
    const tti_buffers buffers =
        tti_buffers_open(builder, chunk < bytes ? chunk : bytes, combines ? count : 0);
    call c = {.shape = shape, .builder = builder};
    for (size_t at = 0; at < bytes; at += chunk, c.number++) {
        c.bytes = chunk < bytes - at ? chunk : bytes - at;
        c.own = tti_place_plus(tti_shape_own(shape), at);
        c.output = tti_place_at(TTI_OUTPUT, at);
        if (combines) c.buffer = tti_buffers_at(&buffers, c.number);
        (inclusive ? pass_inclusive : pass_exclusive)(&c);
    }
}
