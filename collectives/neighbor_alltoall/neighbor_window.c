/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_parts.h"
#include "collectives/neighbor_alltoall/neighbor_direct.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    bool whole; /* one part, which all targets read */
} exchange;

/* Of the WINDOW of a rank from which so many edges lead. */
static tti_window_parts open_parts(const exchange *e, int edges)
{
    const int readers = edges > 0 ? edges : 1;
    if (e->whole) return tti_window_parts_open_one(e->shape, e->builder, readers);
    if (e->shape->parted) return tti_window_parts_open(e->shape, e->builder, readers);
    return tti_window_parts_open_equal(e->shape, e->builder, readers, tti_shape_bytes(e->shape));
}

static tti_extent given(const exchange *e, int target)
{
    return e->whole ? (tti_extent){0, tti_shape_own_bytes(e->shape)} : tti_shape_sent(e->shape, target);
}

static bool meets(const exchange *e, int peer)
{
    return e->shape->neighbours->places != NULL && peer >= 0 &&
           tti_shape_shares(e->shape, e->shape->rank, peer);
}

/* Where its place among those of its rank is known, it may pass through that one's WINDOW. */
static tti_window_parts parts_of_source(const exchange *e, int source)
{
    return open_parts(e, e->shape->neighbours->places[source].count);
}

static bool is_message_from(const exchange *e, int source)
{
    const int rank = e->shape->neighbours->sources.ranks[source];
    if (!meets(e, rank)) return rank >= 0 && rank != e->shape->rank;
    return tti_shape_received(e->shape, source).bytes > parts_of_source(e, source).most;
}

static bool is_message_to(const exchange *e, const tti_window_parts *own, int target)
{
    const int rank = e->shape->neighbours->targets.ranks[target];
    if (!meets(e, rank)) return rank >= 0 && rank != e->shape->rank;
    return given(e, target).bytes > own->most;
}

static void pass_messages(const exchange *e, const tti_window_parts *own)
{
    const tti_neighbour_list *from = &e->shape->neighbours->sources, *to = &e->shape->neighbours->targets;
    for (int i = 0; i < from->count; i++) {
        const tti_extent part = tti_shape_received(e->shape, i);
        if (is_message_from(e, i))
            tti_build_recv(e->builder, tti_place_at(TTI_OUTPUT, part.at), part.bytes, from->ranks[i],
                           from->numbers[i]);
    }
    for (int i = 0; i < to->count; i++) {
        const tti_extent part = given(e, i);
        if (is_message_to(e, own, i))
            tti_build_send(e->builder, tti_place_at(TTI_INPUT, part.at), part.bytes, to->ranks[i],
                           to->numbers[i]);
    }
}

/* What all targets read is there once. */
static void show(const exchange *e, const tti_window_parts *own)
{
    const tti_neighbour_list *to = &e->shape->neighbours->targets;
    bool shown = false;
    for (int i = 0; i < to->count; i++) {
        const tti_extent part = given(e, i);
        if (!meets(e, to->ranks[i])) continue;
        tti_window_parts_tell(own, i, part.bytes);
        if (!shown || !e->whole) tti_window_parts_put(own, i, tti_place_at(TTI_INPUT, part.at), part.bytes);
        shown = true;
    }
    if (shown) tti_build_post(e->builder, TTI_ALL);
}

static void take(const exchange *e)
{
    const tti_neighbours *all = e->shape->neighbours;
    for (int i = 0; i < all->sources.count; i++) {
        const int rank = all->sources.ranks[i];
        const tti_extent part = tti_shape_received(e->shape, i);
        if (!meets(e, rank)) continue;
        const tti_window_parts parts = parts_of_source(e, i);
        tti_build_await_post(e->builder, rank, 1);
        tti_window_parts_get(&parts, rank, all->places[i].index, tti_place_at(TTI_OUTPUT, part.at),
                             part.bytes);
    }
}

/* What goes to ranks that share memory with this one stands in its WINDOW, a share for each edge, and is read
 * there; where a share is, both ends know (tti_edge_place). All is shown at once, before one waits for
 * anybody. To other ranks, and where a part is large, it goes by messages meanwhile.
 *
 *   rank 0 ──0→ rank 1, ──1→ rank 1, ──0→ rank 2      WINDOW of 0:  0→1 │ 0→1 │ 0→2      one post
 */
static void run(const exchange *e)
{
    const tti_window_parts own = open_parts(e, e->shape->neighbours->targets.count);
    pass_messages(e, &own);
    show(e, &own);
    tti_neighbor_keep_own(e->shape, e->builder, e->whole);
    take(e);
}

void tti_neighbor_window_parts(const tti_shape *shape, tti_builder *builder)
{
    run(&(exchange){shape, builder, false});
}

void tti_neighbor_window_whole(const tti_shape *shape, tti_builder *builder)
{
    run(&(exchange){shape, builder, true});
}
