/* SPDX-License-Identifier: BSD-3-Clause */
/* In step t the ranks whose numbers add up to t (modulo their number) exchange their blocks for each other:
 * each pair once, and a rank with one other at a time. Whose number twice is t has none; its own block each
 * copies while the first exchanges are under way. P·(α + nβ), and no block is moved twice: for large blocks.
 *
 *   4 ranks      step 0      step 1      step 2      step 3
 *                1-3 0 2     0-1 2-3     0-2 1 3     0-3 1-2
 *
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", 2005
 * (pairwise exchange). */
#include "collectives/alltoall/alltoall.h"
#include "collectives/compose/buffers.h"
#include "collectives/patterns/parts.h"

/* Exchanges under way at once: enough that one does not wait for the other, and no more, so that a rank of
 * many does not hold all its peers' messages. In place each has a copy of its block: fewer. */
#define UNDER_WAY 32
#define UNDER_WAY_IN_PLACE 8

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_alltoall_short left_out;
    tti_buffers buffers; /* in place: for blocks on their way out, each for the largest */
    int under_way;
    int sent[UNDER_WAY], received[UNDER_WAY];
} call;

/* The caller's block for a peer, or of it, where that is a message. */
static tti_extent only(const call *c, int peer, tti_extent block)
{
    size_t most = 0;
    if (tti_shape_shares(c->shape, c->shape->rank, peer))
        most = c->left_out.near;
    else if (c->left_out.joined != NULL)
        most = c->left_out.joined[c->shape->nodes->node_of[peer]];
    return block.bytes > most ? block : (tti_extent){block.at, 0};
}

static size_t largest(const call *c)
{
    size_t most = 0;
    for (int r = 0; r < c->shape->size; r++) {
        const tti_extent block = only(c, r, tti_shape_sent(c->shape, r));
        if (block.bytes > most) most = block.bytes;
    }
    return most;
}

static void keep_own(const call *c)
{
    const tti_extent given = tti_shape_sent(c->shape, c->shape->rank),
                     taken = tti_shape_received(c->shape, c->shape->rank);
    if (!c->shape->in_place)
        tti_build_copy(c->builder, tti_place_at(TTI_INPUT, given.at), tti_place_at(TTI_OUTPUT, taken.at),
                       taken.bytes);
}

/* Exchange number `n` of the caller's, with `peer`, begins after number n - under_way. In place that follows
 * from the buffer, and that its block is out of the way before the peer's comes. */
static void exchange(call *c, int peer, int n)
{
    const tti_extent given = only(c, peer, tti_shape_sent(c->shape, peer)),
                     taken = only(c, peer, tti_shape_received(c->shape, peer));
    const int turn = n % c->under_way;
    const bool in_place = c->shape->in_place, paced = n >= c->under_way && !in_place;
    tti_place out = tti_place_plus(tti_shape_own(c->shape), given.at);
    if (in_place) {
        const tti_place buffer = tti_buffers_at(&c->buffers, n);
        tti_build_copy(c->builder, out, buffer, given.bytes);
        out = buffer;
    }
    const int send = tti_build_send(c->builder, out, given.bytes, peer, 0);
    if (paced && send >= 0) tti_build_after(c->builder, c->sent[turn]);
    const int recv = tti_build_recv(c->builder, tti_place_at(TTI_OUTPUT, taken.at), taken.bytes, peer, 0);
    if (paced && recv >= 0) tti_build_after(c->builder, c->received[turn]);
    c->sent[turn] = send;
    c->received[turn] = recv;
}

void tti_alltoall_messages(const tti_shape *shape, tti_builder *builder, tti_alltoall_short left_out)
{
    call c = {.shape = shape, .builder = builder, .left_out = left_out};
    c.under_way = shape->in_place ? UNDER_WAY_IN_PLACE : UNDER_WAY;
    const int others = shape->size - 1, count = others < c.under_way ? others : c.under_way;
    if (shape->in_place) c.buffers = tti_buffers_open(builder, largest(&c), count);
    for (int step = 0, n = 0; step < shape->size; step++) {
        const int peer = tti_ring(step, -shape->rank, shape->size);
        if (peer != shape->rank) exchange(&c, peer, n++);
    }
    keep_own(&c);
}

void tti_alltoall_pairwise(const tti_shape *shape, tti_builder *builder)
{
    tti_alltoall_messages(shape, builder, (tti_alltoall_short){0, NULL});
}
