/* SPDX-License-Identifier: BSD-3-Clause */
/* k-Bruck: in round r a rank gets from the ranks j·k^r beyond it (j = 1 … k-1) the k^r blocks that they have;
 * then everything is turned into place. Any number of ranks in ⌈log_k⌉ rounds. Blocks may differ in size, as
 * long as all ranks know them all.
 *
 *   5 ranks, radix 2, rank 1     start  1····     round 0  12···     round 1  1234·     round 2  12340
 *
 * J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
 * 1997. */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_place turned; /* block i is that of rank + i */
} call;

/* Bytes of `count` blocks from block `first` on. */
static size_t bytes_of(const call *c, int first, int count)
{
    size_t bytes = 0;
    if (!c->shape->parted) return tti_shape_bytes(c->shape) * (size_t)count;
    for (int i = first; i < first + count; i++)
        bytes += tti_shape_received(c->shape, tti_ring(c->shape->rank, i, c->shape->size)).bytes;
    return bytes;
}

/* In SCRATCH, or in OUTPUT where it is the same. */
static void bring_in(call *c)
{
    const tti_shape *s = c->shape;
    const tti_extent mine = tti_shape_received(s, s->rank);
    const bool in_order = s->rank == 0 && !s->parted;
    c->turned =
        in_order ? tti_place_at(TTI_OUTPUT, 0) : tti_build_scratch(c->builder, bytes_of(c, 0, s->size));
    tti_build_copy(c->builder, tti_shape_own_part(s), c->turned, mine.bytes);
}

/* Blocks `first` to `end` go where they belong; those of a table one by one. */
static void put(const call *c, int first, int end)
{
    const int step = c->shape->parted ? 1 : end - first;
    tti_place from = tti_place_plus(c->turned, bytes_of(c, 0, first));
    for (int i = first; i < end; i += step) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        const size_t bytes = bytes_of(c, i, step);
        tti_build_copy(c->builder, from, tti_place_at(TTI_OUTPUT, tti_shape_received(c->shape, rank).at),
                       bytes);
        from = tti_place_plus(from, bytes);
    }
}

static void turn_back(const call *c)
{
    const int above = c->shape->size - c->shape->rank;
    put(c, c->shape->in_place ? 1 : 0, above); /* in place the caller's own never left */
    put(c, above, c->shape->size);
}

void tti_allgather_bruck(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder};
    const int size = shape->size, count = tti_radix_count(size, shape->radix);
    bring_in(&c);
    for (int i = 0; i < count; i++) {
        const int distance = (int)tti_radix_distance(i, shape->radix);
        const int round = tti_radix_round(i, shape->radix);
        const int64_t have = tti_radix_power(shape->radix, round);
        const int blocks = have < size - distance ? (int)have : size - distance;
        tti_build_send(builder, c.turned, bytes_of(&c, 0, blocks), tti_ring(shape->rank, -distance, size),
                       round);
        tti_build_recv(builder, tti_place_plus(c.turned, bytes_of(&c, 0, distance)),
                       bytes_of(&c, distance, blocks), tti_ring(shape->rank, distance, size), round);
    }
    turn_back(&c);
}
