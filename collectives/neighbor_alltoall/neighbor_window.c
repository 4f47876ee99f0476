/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes to ranks that share memory with this one stands in its WINDOW, a share for each edge, and is read
 * there; where a share is, both ends know (tti_edge_place). All is shown at once, before one waits for
 * anybody. To other ranks, and where a part is large, it goes by messages meanwhile.
 *
 *   rank 0 ──0→ rank 1, ──1→ rank 1, ──0→ rank 2      WINDOW of 0:  0→1 │ 0→1 │ 0→2      one post
 */
#include "collectives/neighbor_alltoall/neighbor_window.h"

#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

typedef tti_neighbor_exchange exchange;

/* Of the WINDOW of a rank from which so many edges lead. */
static tti_window_parts open_parts(const exchange *e, int edges)
{
    const int readers = edges > 0 ? edges : 1;
    if (e->whole) return tti_window_parts_open_one(e->shape, e->builder, readers);
    if (e->shape->parted) return tti_window_parts_open(e->shape, e->builder, readers);
    return tti_window_parts_open_equal(e->shape, e->builder, readers, tti_shape_bytes(e->shape));
}

tti_window_parts tti_neighbor_own_parts(const exchange *e)
{
    return open_parts(e, e->shape->neighbours->targets.count);
}

static tti_extent given(const exchange *e, int target)
{
    return tti_neighbor_given(e->shape, target, e->whole);
}

bool tti_neighbor_meets(const exchange *e, int rank)
{
    return e->shape->neighbours->places != NULL && rank >= 0 &&
           tti_shape_shares(e->shape, e->shape->rank, rank);
}

tti_window_parts tti_neighbor_parts_of_source(const exchange *e, int source)
{
    return open_parts(e, e->shape->neighbours->places[source].count);
}

static bool passes(const exchange *e, const tti_window_parts *parts, size_t bytes)
{
    return bytes <= parts->most || (e->blocks && tti_window_parts_blocks(parts, bytes) > 0);
}

/* Whether a part that goes between the caller and that rank has a slot in a message of their nodes. */
static bool is_joined(const exchange *e, const tti_node_messages *list, int rank, size_t bytes)
{
    if (list == NULL) return false;
    const tti_node_message *message = tti_node_messages_find(list, e->shape->nodes->node_of[rank]);
    return message != NULL && tti_slots_take(&message->slots, bytes);
}

static bool is_message_from(const exchange *e, int source)
{
    const int rank = e->shape->neighbours->sources.ranks[source];
    const size_t bytes = tti_shape_received(e->shape, source).bytes;
    if (tti_neighbor_meets(e, rank)) {
        const tti_window_parts parts = tti_neighbor_parts_of_source(e, source);
        return !passes(e, &parts, bytes);
    }
    return tti_neighbor_is_other(e->shape, rank) && !is_joined(e, e->in, rank, bytes);
}

static bool is_message_to(const exchange *e, const tti_window_parts *own, int target)
{
    const int rank = e->shape->neighbours->targets.ranks[target];
    const size_t bytes = given(e, target).bytes;
    if (tti_neighbor_meets(e, rank)) return !passes(e, own, bytes);
    return tti_neighbor_is_other(e->shape, rank) && !is_joined(e, e->out, rank, bytes);
}

void tti_neighbor_receive(const exchange *e)
{
    const tti_neighbour_list *from = &e->shape->neighbours->sources;
    for (int i = 0; i < from->count; i++) {
        const tti_extent part = tti_shape_received(e->shape, i);
        if (is_message_from(e, i))
            tti_build_recv(e->builder, tti_place_at(TTI_OUTPUT, part.at), part.bytes, from->ranks[i],
                           from->numbers[i]);
    }
}

void tti_neighbor_send(const exchange *e, int earlier)
{
    const tti_window_parts own = tti_neighbor_own_parts(e);
    const tti_neighbour_list *to = &e->shape->neighbours->targets;
    for (int i = 0; i < to->count; i++) {
        const tti_extent part = given(e, i);
        if (!is_message_to(e, &own, i)) continue;
        const int step = tti_build_send(e->builder, tti_place_at(TTI_INPUT, part.at), part.bytes,
                                        to->ranks[i], to->numbers[i]);
        if (step >= 0) tti_build_after(e->builder, earlier);
    }
}

/* What all targets read is there once. */
bool tti_neighbor_show(const exchange *e)
{
    const tti_window_parts own = tti_neighbor_own_parts(e);
    const tti_neighbour_list *to = &e->shape->neighbours->targets;
    bool shown = false;
    for (int i = 0; i < to->count; i++) {
        const tti_extent part = given(e, i);
        if (!tti_neighbor_meets(e, to->ranks[i])) continue;
        tti_window_parts_tell(&own, i, part.bytes);
        if (!shown || !e->whole) tti_window_parts_put(&own, i, tti_place_at(TTI_INPUT, part.at), part.bytes);
        shown = true;
    }
    return shown;
}

void tti_neighbor_take(const exchange *e)
{
    const tti_neighbours *all = e->shape->neighbours;
    for (int i = 0; i < all->sources.count; i++) {
        const int rank = all->sources.ranks[i];
        const tti_extent part = tti_shape_received(e->shape, i);
        if (!tti_neighbor_meets(e, rank)) continue;
        const tti_window_parts parts = tti_neighbor_parts_of_source(e, i);
        tti_build_await_post(e->builder, rank, 1);
        tti_window_parts_get(&parts, rank, all->places[i].index, tti_place_at(TTI_OUTPUT, part.at),
                             part.bytes);
    }
}

void tti_neighbor_by_window(const exchange *e)
{
    tti_neighbor_receive(e);
    tti_neighbor_send(e, -1);
    if (tti_neighbor_show(e)) tti_build_post(e->builder, TTI_ALL);
    tti_neighbor_keep_own(e->shape, e->builder, e->whole);
    tti_neighbor_take(e);
}

void tti_neighbor_window(const tti_shape *shape, tti_builder *builder, bool whole)
{
    tti_neighbor_by_window(&(exchange){.shape = shape, .builder = builder, .whole = whole});
}
