/* SPDX-License-Identifier: BSD-3-Clause */
/* As window, but what is too long for a share goes block by block, and as a message only what is longer than
 * a chunk. The two ranks of an edge alone know how many blocks pass along it: so each rank makes as many
 * rounds as the longest part at it needs, and awaits in each but the first those alone with whom it still has
 * a block to exchange, who make it as well. 2d·nβ for d neighbours.
 *
 *   WINDOW of 0     block k of 0→1 │ of 0→2 │ of 0→3 ║ block k + 1 of 0→1 │ of 0→2 │ of 0→3
 */
#include "collectives/compose/window_blocks.h"
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"
#include "collectives/neighbor_alltoall/neighbor_window.h"

typedef struct {
    tti_window_call window; /* first; its blocks are the rounds */
    tti_neighbor_exchange e;
    tti_window_parts own;
} call;

static const call *call_of(const tti_window_call *window)
{
    return (const call *)(const void *)window;
}

/* Along the edges to a target, and from a source. */
static int blocks_to(const call *c, int target)
{
    const int rank = c->e.shape->neighbours->targets.ranks[target];
    if (!tti_neighbor_meets(&c->e, rank)) return 0;
    return tti_window_parts_blocks(&c->own, tti_neighbor_given(c->e.shape, target, c->e.whole).bytes);
}

static int blocks_from(const call *c, int source)
{
    const int rank = c->e.shape->neighbours->sources.ranks[source];
    if (!tti_neighbor_meets(&c->e, rank)) return 0;
    const tti_window_parts parts = tti_neighbor_parts_of_source(&c->e, source);
    return tti_window_parts_blocks(&parts, tti_shape_received(c->e.shape, source).bytes);
}

static int count_rounds(const call *c)
{
    const tti_neighbours *all = c->e.shape->neighbours;
    int rounds = 1;
    for (int i = 0; i < all->targets.count; i++)
        if (blocks_to(c, i) > rounds) rounds = blocks_to(c, i);
    for (int i = 0; i < all->sources.count; i++)
        if (blocks_from(c, i) > rounds) rounds = blocks_from(c, i);
    return rounds;
}

/* What all targets read is there once. */
static void show(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    if (k == 0) tti_neighbor_show(&c->e);
    for (int i = 0; i < c->e.shape->neighbours->targets.count; i++) {
        const tti_extent part = tti_neighbor_given(c->e.shape, i, c->e.whole);
        if (blocks_to(c, i) <= k) continue;
        tti_window_parts_put_block(&c->own, i, k, tti_place_at(TTI_INPUT, part.at), part.bytes);
        if (c->e.whole) return;
    }
}

static void take(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    const tti_neighbours *all = c->e.shape->neighbours;
    if (k == 0) tti_neighbor_take(&c->e);
    for (int i = 0; i < all->sources.count; i++) {
        if (blocks_from(c, i) <= k) continue;
        const tti_extent part = tti_shape_received(c->e.shape, i);
        const tti_window_parts parts = tti_neighbor_parts_of_source(&c->e, i);
        tti_window_parts_get_block(&parts, all->sources.ranks[i], all->places[i].index, k,
                                   tti_place_at(TTI_OUTPUT, part.at), part.bytes);
    }
}

/* Whether block `k` comes from one of the first sources, or one of the first targets has to have read block
 * k - 1, and is this rank. */
static bool waits_for(const call *c, int k, int sources, int targets, int rank)
{
    const tti_neighbours *all = c->e.shape->neighbours;
    for (int i = 0; i < sources; i++)
        if (all->sources.ranks[i] == rank && blocks_from(c, i) > k) return true;
    for (int i = 0; i < targets; i++)
        if (all->targets.ranks[i] == rank && blocks_to(c, i) > k + 1) return true;
    return false;
}

/* For each of them once. In the first round each is awaited as what it shows is taken; until then a rank
 * copies what is its own. */
static void await(const tti_window_call *window, int k)
{
    const call *c = call_of(window);
    const tti_neighbours *all = c->e.shape->neighbours;
    if (k == 0) {
        tti_neighbor_keep_own(c->e.shape, c->e.builder, c->e.whole);
        return;
    }
    for (int i = 0; i < all->sources.count; i++)
        if (blocks_from(c, i) > k && !waits_for(c, k, i, 0, all->sources.ranks[i]))
            tti_build_await_post(c->e.builder, all->sources.ranks[i], k + 1);
    for (int i = 0; i < all->targets.count; i++)
        if (blocks_to(c, i) > k + 1 && !waits_for(c, k, all->sources.count, i, all->targets.ranks[i]))
            tti_build_await_post(c->e.builder, all->targets.ranks[i], k + 1);
}

void tti_neighbor_blocks(const tti_shape *shape, tti_builder *builder, bool whole)
{
    call c = {.window = {.shape = shape, .builder = builder, .await = await},
              .e = {.shape = shape, .builder = builder, .whole = whole, .blocks = true}};
    c.own = tti_neighbor_own_parts(&c.e);
    c.window.blocks.count = count_rounds(&c);
    if (c.window.blocks.count == 1) {
        tti_neighbor_by_window(&c.e);
        return;
    }
    tti_neighbor_receive(&c.e);
    tti_neighbor_send(&c.e, -1);
    tti_window_exchange(&c.window, show, take);
}
