/* SPDX-License-Identifier: BSD-3-Clause */
/* As window, but what is too long for a share of it goes block by block, and as a message only what is longer
 * than a chunk. The two ranks of a part alone know how many blocks it has: so each rank makes as many rounds
 * as its longest part needs, and awaits in each but the first those alone with whom it still has a block to
 * exchange, who make it as well.
 *
 *   round 0    sizes, short parts, first blocks       all await all
 *   round k    block k, where there is one            its two ranks await each other
 *
 * A post says that the blocks of its round are there, and that those of the round before have been read.
 */
#include "collectives/alltoallv/alltoallv.h"
#include "collectives/patterns/parts.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_window_parts parts;
    size_t block;
} call;

/* 0: it is short, or a message. */
static int blocks_of(const call *c, tti_extent part)
{
    if (part.bytes <= c->parts.most || part.bytes > c->shape->chunk) return 0;
    return (int)((part.bytes + c->block - 1) / c->block);
}

/* Of the parts for a rank, and from it. */
static int blocks_to(const call *c, int rank)
{
    return blocks_of(c, tti_shape_sent(c->shape, rank));
}
static int blocks_from(const call *c, int rank)
{
    return blocks_of(c, tti_shape_received(c->shape, rank));
}

static int count_rounds(const call *c)
{
    int rounds = 1;
    for (int rank = 0; rank < c->shape->size; rank++) {
        const int to = blocks_to(c, rank), from = blocks_from(c, rank);
        if (rank == c->shape->rank) continue;
        if (to > rounds) rounds = to;
        if (from > rounds) rounds = from;
    }
    return rounds;
}

static void show(const call *c, int k)
{
    if (k == 0) tti_alltoallv_show(&c->parts);
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, -i, c->shape->size);
        const tti_extent part = tti_shape_sent(c->shape, rank);
        if (blocks_to(c, rank) > k)
            tti_window_parts_show_block(&c->parts, rank, k, tti_place_plus(tti_shape_own(c->shape), part.at),
                                        part.bytes);
    }
}

static void take(const call *c, int k)
{
    if (k == 0) tti_alltoallv_take(&c->parts);
    for (int i = 1; i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        const tti_extent part = tti_shape_received(c->shape, rank);
        if (blocks_from(c, rank) > k)
            tti_window_parts_take_block(&c->parts, rank, k, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}

/* Whose block is to be read, and who must have read a block in whose place the next one goes. */
static void await(const call *c, int k)
{
    if (k == 0) tti_build_await_post(c->builder, TTI_ALL, 1);
    for (int i = 1; k > 0 && i < c->shape->size; i++) {
        const int rank = tti_ring(c->shape->rank, i, c->shape->size);
        if (blocks_from(c, rank) > k || blocks_to(c, rank) > k + 1)
            tti_build_await_post(c->builder, rank, k + 1);
    }
}

/* And what is a rank's own. */
static void pass_messages(const call *c)
{
    tti_alltoall_messages(c->shape, c->builder, (tti_alltoall_short){c->shape->chunk, NULL});
}

static void exchange(const call *c)
{
    const int rounds = count_rounds(c);
    show(c, 0);
    tti_build_post(c->builder, TTI_ALL);
    pass_messages(c);
    for (int k = 0; k < rounds; k++) {
        const bool more = k + 1 < rounds;
        await(c, k);
        if (more) show(c, k + 1);
        take(c, k);
        if (more) tti_build_post(c->builder, TTI_ALL);
    }
}

void tti_alltoallv_blocks(const tti_shape *shape, tti_builder *builder)
{
    call c = {.shape = shape, .builder = builder, .parts = tti_window_parts_open_all(shape, builder)};
    c.block = tti_window_parts_block(&c.parts);
    if (c.block == 0) {
        tti_alltoallv_window(shape, builder);
        return;
    }
    if (shape->size > 1)
        exchange(&c);
    else
        pass_messages(&c);
}
