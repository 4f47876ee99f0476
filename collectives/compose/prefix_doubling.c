/* SPDX-License-Identifier: BSD-3-Clause */
/* In round r a rank sends what it has heard of, the sum of the k^r ranks up to itself, to the ranks at
 * distances j·k^r above it, and puts what those below send before its own: ⌈log_k⌉ rounds. Ranks stay in
 * order, so the operation need not commute.
 *
 *   5 ranks, radix 2    start    0     1     2     3     4
 *                       by 1     0    01    12    23    34
 *                       by 2     0    01   012  0123  1234
 *                       by 4     0    01   012  0123 01234
 *
 * Without the caller's own two sums are kept: what is sent has it, the result has not.
 *
 * W. Hillis, G. Steele, "Data parallel algorithms", 1986. */
#include "collectives/compose/buffers.h"
#include "collectives/compose/prefix.h"
#include "collectives/patterns/radix.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    bool inclusive;
    size_t bytes;
    tti_buffers buffers; /* for what comes in two rounds, so that receives are posted early */
    tti_place sum;       /* of the ranks up to and with the caller that it has heard of; what it sends */
} call;

/* Whether the caller sends anything over `distance` ranks or more. */
static bool sends(const call *c, int64_t distance)
{
    return distance < c->shape->size - c->shape->rank;
}

/* The sum with the caller's own is where it can be added to: of a scan in OUTPUT; of an exscan, where OUTPUT
 * has the sum without it, aside, if it is sent. */
static void set_aside(call *c)
{
    const tti_place own = tti_shape_own(c->shape);
    c->sum = c->inclusive ? tti_place_at(TTI_OUTPUT, 0) : tti_build_scratch(c->builder, c->bytes);
    tti_build_copy(c->builder, own, c->sum, c->bytes);
}

/* Whether the sum has to be aside before the first sends, or after them: until then it is the caller's own,
 * which stays as it is unless OUTPUT is written. */
static bool is_needed(const call *c, int64_t distance)
{
    return c->inclusive || (c->shape->rank > 0 && sends(c, distance));
}

/* What the ranks `distance` below have heard of goes before what the caller has. */
static void take(const call *c, int index, bool goes_on)
{
    const int radix = c->shape->radix;
    const int64_t distance = tti_radix_distance(index, radix);
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const bool first = !c->inclusive && index == 0;
    const tti_place part = first ? output : tti_buffers_at(&c->buffers, index);
    tti_build_recv(c->builder, part, c->bytes, c->shape->rank - (int)distance, index);
    if (!first) tti_build_reduce(c->builder, part, output, c->bytes);
    if (!c->inclusive && goes_on) tti_build_reduce(c->builder, part, c->sum, c->bytes);
}

/* To k-1 ranks above, and from as many below, nearest first. */
static void exchange(call *c, int round)
{
    const int radix = c->shape->radix, rank = c->shape->rank, size = c->shape->size;
    const int first = round * (radix - 1), total = tti_radix_count(size, radix);
    const int end = first + radix - 1 < total ? first + radix - 1 : total;
    const int64_t next = tti_radix_power(radix, round + 1);
    if (round == 0 && c->shape->in_place && is_needed(c, 1)) set_aside(c);
    for (int i = first; i < end && sends(c, tti_radix_distance(i, radix)); i++)
        tti_build_send(c->builder, c->sum, c->bytes, rank + (int)tti_radix_distance(i, radix), i);
    if (round == 0 && !c->shape->in_place && is_needed(c, next)) set_aside(c);
    for (int i = first; i < end && tti_radix_distance(i, radix) <= rank; i++)
        take(c, i, sends(c, next));
}

void tti_prefix_doubling(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    call c = {.shape = shape, .builder = builder, .inclusive = inclusive, .bytes = tti_shape_bytes(shape)};
    const int messages = tti_radix_count(shape->size, shape->radix);
    const int buffers = shape->radix - 1 < messages ? 2 * (shape->radix - 1) : messages;
    c.buffers = tti_buffers_open(builder, c.bytes, shape->rank > 0 ? buffers : 0);
    c.sum = tti_shape_own(shape);
    if (messages == 0 && inclusive) set_aside(&c);
    for (int round = 0; round * (shape->radix - 1) < messages; round++)
        exchange(&c, round);
}
