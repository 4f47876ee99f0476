/* SPDX-License-Identifier: BSD-3-Clause */
/* k-Bruck: a block for the rank i beyond goes there by the digits of i to base k: in round r those whose
 * digit r is j go j·k^r ranks on, all in one message. ⌈log_k P⌉ rounds, of (k-1) messages each; a block moves
 * as often as i has digits that are not 0.
 *
 *   6 ranks, radix 2     round 0, by 1: blocks 1 3 5     round 1, by 2: 2 3     round 2, by 4: 4 5
 *
 * J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
 * 1997. */
#include "collectives/alltoall/alltoall.h"
#include "collectives/patterns/parts.h"
#include "collectives/patterns/radix.h"

/* Block i of a rank is on its way to the rank i beyond where it came from. */
typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    size_t block;
    tti_place from;        /* the caller's own blocks, by rank that they are for */
    tti_place table;       /* blocks that have come and have to go on, by i */
    tti_place out[2];      /* what goes out in a round, by turns */
    tti_place in[2];       /* what comes in in a round, by turns */
    int distance;          /* that the message under way goes */
    int64_t power, stride; /* of digit `distance / power` of i; from one run of such blocks to the next */
} call;

static size_t bytes_of(const call *c, int64_t blocks)
{
    return c->block * (size_t)blocks;
}

static int64_t run_from(const call *c, int64_t first)
{
    return c->power < c->shape->size - first ? c->power : c->shape->size - first;
}

/* Blocks in the message. */
static int64_t count(const call *c)
{
    int64_t blocks = 0;
    for (int64_t first = c->distance; first < c->shape->size; first += c->stride)
        blocks += run_from(c, first);
    return blocks;
}

static tti_place own(const call *c, int i)
{
    return tti_place_plus(c->from, bytes_of(c, tti_ring(c->shape->rank, i, c->shape->size)));
}

static tti_place target(const call *c, int64_t i)
{
    return tti_place_at(TTI_OUTPUT, bytes_of(c, tti_ring(c->shape->rank, -(int)i, c->shape->size)));
}

/* Of each run the first block has not moved yet (its lower digits are 0); the others have come here. */
static void pack(const call *c, tti_place to)
{
    for (int64_t first = c->distance; first < c->shape->size; first += c->stride) {
        const int64_t run = run_from(c, first);
        tti_build_copy(c->builder, own(c, (int)first), to, c->block);
        tti_build_copy(c->builder, tti_place_plus(c->table, bytes_of(c, first + 1)),
                       tti_place_plus(to, c->block), bytes_of(c, run - 1));
        to = tti_place_plus(to, bytes_of(c, run));
    }
}

/* The blocks of the first run have come where they are to be (their higher digits are 0). */
static void unpack(const call *c, tti_place from)
{
    const int64_t arrived = run_from(c, c->distance);
    for (int64_t i = 0; i < arrived; i++)
        tti_build_copy(c->builder, tti_place_plus(from, bytes_of(c, i)), target(c, c->distance + i),
                       c->block);
    from = tti_place_plus(from, bytes_of(c, arrived));
    for (int64_t first = c->distance + c->stride; first < c->shape->size; first += c->stride) {
        const int64_t run = run_from(c, first);
        tti_build_copy(c->builder, from, tti_place_plus(c->table, bytes_of(c, first)), bytes_of(c, run));
        from = tti_place_plus(from, bytes_of(c, run));
    }
}

/* `used` blocks of the round's buffers are taken. Returns how many blocks more are. A message of one block
 * needs no buffers: the block goes straight. */
static int64_t hop(const call *c, int round, int64_t used)
{
    const int rank = c->shape->rank, size = c->shape->size;
    const int64_t blocks = count(c);
    const bool straight = blocks == 1;
    const tti_place out =
        straight ? own(c, c->distance) : tti_place_plus(c->out[round % 2], bytes_of(c, used));
    const tti_place in =
        straight ? target(c, c->distance) : tti_place_plus(c->in[round % 2], bytes_of(c, used));
    if (!straight) pack(c, out);
    tti_build_send(c->builder, out, bytes_of(c, blocks), tti_ring(rank, c->distance, size), round);
    tti_build_recv(c->builder, in, bytes_of(c, blocks), tti_ring(rank, -c->distance, size), round);
    if (!straight) unpack(c, in);
    return straight ? 0 : blocks;
}

/* In place: a copy of the blocks for these ranks, over which others come. */
static void keep(const call *c, int first, int end)
{
    const size_t at = bytes_of(c, first);
    tti_build_copy(c->builder, tti_place_at(TTI_OUTPUT, at), tti_place_plus(c->from, at),
                   bytes_of(c, end - first));
}

static void open_buffers(call *c)
{
    const size_t all = bytes_of(c, c->shape->size);
    c->from = tti_shape_own(c->shape);
    if (c->shape->in_place) {
        c->from = tti_build_scratch(c->builder, all);
        keep(c, 0, c->shape->rank);
        keep(c, c->shape->rank + 1, c->shape->size);
    }
    /* With a digit for each rank every block goes straight. */
    const size_t room = c->shape->radix < c->shape->size ? all : 0;
    c->table = tti_build_scratch(c->builder, room);
    for (int i = 0; i < 2; i++) {
        c->out[i] = tti_build_scratch(c->builder, room);
        c->in[i] = tti_build_scratch(c->builder, room);
    }
}

void tti_alltoall_bruck(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .block = tti_shape_bytes(shape)};
    const int radix = shape->radix, messages = tti_radix_count(shape->size, radix);
    open_buffers(&c);
    if (!shape->in_place) tti_build_copy(builder, own(&c, 0), target(&c, 0), c.block);
    int64_t used = 0;
    for (int i = 0; i < messages; i++) {
        const int round = tti_radix_round(i, radix);
        if (i % (radix - 1) == 0) used = 0;
        c.distance = (int)tti_radix_distance(i, radix);
        c.power = tti_radix_power(radix, round);
        c.stride = c.power * radix;
        used += hop(&c, round, used);
    }
}
