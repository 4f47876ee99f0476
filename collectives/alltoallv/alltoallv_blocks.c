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
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

typedef struct {
    tti_window_call window; /* first; its blocks are the rounds */
    tti_window_parts parts;
} call;

static const call *call_of(const tti_window_call *window)
{
    return (const call *)(const void *)window;
}

/* Of the parts for a rank, and from it. */
static int blocks_to(const call *c, int rank)
{
    return tti_window_parts_blocks(&c->parts, tti_shape_sent(c->window.shape, rank).bytes);
}
static int blocks_from(const call *c, int rank)
{
    return tti_window_parts_blocks(&c->parts, tti_shape_received(c->window.shape, rank).bytes);
}

static int count_rounds(const call *c)
{
    int rounds = 1;
    for (int i = 1; i < c->window.shape->size; i++) {
        const int rank = tti_ring(c->window.shape->rank, i, c->window.shape->size);
        const int to = blocks_to(c, rank), from = blocks_from(c, rank);
        if (to > rounds) rounds = to;
        if (from > rounds) rounds = from;
    }
    return rounds;
}

static void show(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    const tti_shape *shape = window->shape;
    if (k == 0) tti_alltoallv_show(&c->parts);
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, -i, shape->size);
        const tti_extent part = tti_shape_sent(shape, rank);
        if (blocks_to(c, rank) > k)
            tti_window_parts_show_block(&c->parts, rank, k, tti_place_plus(tti_shape_own(shape), part.at),
                                        part.bytes);
    }
}

static void take(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    const tti_shape *shape = window->shape;
    if (k == 0) tti_alltoallv_take(&c->parts);
    for (int i = 1; i < shape->size; i++) {
        const int rank = tti_ring(shape->rank, i, shape->size);
        const tti_extent part = tti_shape_received(shape, rank);
        if (blocks_from(c, rank) > k)
            tti_window_parts_take_block(&c->parts, rank, k, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}

/* And what is a rank's own. */
static void pass_messages(const tti_shape *shape, tti_builder *builder)
{
    tti_alltoall_messages(shape, builder, (tti_alltoall_short){shape->chunk, NULL});
}

/* Messages pass while others show their first blocks. */
static void await(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    if (k == 0) {
        pass_messages(window->shape, window->builder);
        tti_build_await_post(window->builder, TTI_ALL, 1);
        return;
    }
    for (int i = 1; i < window->shape->size; i++) {
        const int rank = tti_ring(window->shape->rank, i, window->shape->size);
        if (blocks_from(c, rank) > k || blocks_to(c, rank) > k + 1)
            tti_build_await_post(window->builder, rank, k + 1);
    }
}

void tti_alltoallv_blocks(const tti_shape *shape, tti_builder *builder)
{
    call c = {{.shape = shape, .builder = builder, .await = await},
              tti_window_parts_open_all(shape, builder)};
    if (c.parts.block == 0) {
        tti_alltoallv_window(shape, builder);
        return;
    }
    if (shape->size == 1) {
        pass_messages(shape, builder);
        return;
    }
    c.window.blocks.count = count_rounds(&c);
    tti_window_exchange(&c.window, show, take);
}
