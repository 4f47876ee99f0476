/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that differ go by nodes as those of one size do (neighbor_by_node.c), in slots, of which each has the
 * part's size beside it (compose/slots.h). A message for one edge is none: that part, and what is too long
 * for its slot, goes by itself.
 *
 *   a ring of 2 nodes of 2 ranks, up 0 → 1 → 2 → 3 → 0 and down      1 → 2: sizes of 0↓3 and 1↑2 │ both slots
 *
 * Where WINDOWs have no room, messages bring slots to the hands, and from there. */
#include "collectives/compose/window_blocks.h"
#include "collectives/neighbor_alltoall/neighbor_joined.h"
#include "collectives/neighbor_alltoall/neighbor_window.h"

/* Bytes of a part in a message, and of all of them, at most: with more each goes by itself. */
#define SLOT ((size_t)16 << 10)
#define JOINED ((size_t)96 << 10)

/* Leaves out messages for one edge, and for so many that there is no room. */
static void set_slots(const tti_shape *shape, tti_node_messages *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        tti_node_message message = list->messages[i];
        message.slots = tti_slots_make(shape, (tti_slot){message.count, message.slots.slots}, JOINED, SLOT);
        if (message.count > 1 && message.slots.most > 0) list->messages[kept++] = message;
    }
    list->count = kept;
}

/* The parts of a rank in a message are a row, and its rows lie one after the other. `used`: their bytes. */
static void lay_rows(const tti_joined *j, const tti_node_message *message, size_t *used)
{
    tti_node_edge *edges = message->edges;
    for (int i = 0; i < message->count; i++)
        edges[i].row = i > 0 && edges[i].source == edges[i - 1].source ? edges[i - 1].row + 1 : 0;
    for (int i = 0, n; i < message->count; i += n) {
        const tti_slots_at row = tti_joined_row(j, message, i, &n);
        size_t *end = &used[j->shape->nodes->place_of[edges[i].source]];
        edges[i].shown = *end;
        *end += tti_slots_bytes(&row.slots);
    }
}

/* Rows, and the messages that come, in WINDOWs. Returns what a rank of the node uses there at most; `own`: of
 * it the caller's rows. */
static size_t lay(tti_joined *j, size_t *own)
{
    size_t *used = tti_build_sizes(j->builder, j->size);
    *own = 0;
    for (int p = 0; p < j->size && used != NULL; p++)
        used[p] = 0;
    if (used == NULL) return 0;
    for (int i = 0; i < j->out.count; i++)
        lay_rows(j, &j->out.messages[i], used);
    *own = used[j->place];
    return tti_joined_lay(j, used);
}

/* Tells the size of each part of a row of the caller's, and puts in those that are short. */
static void fill(const tti_joined *j, const tti_node_message *message, int first, int count,
                 const tti_slots_at *row)
{
    for (int i = 0; i < count; i++) {
        const tti_node_edge *edge = &message->edges[first + i];
        const tti_extent part = tti_neighbor_given(j->shape, edge->number, j->whole);
        tti_slots_tell(j->builder, row, i, part.bytes);
        if (i == 0 || edge->slot != edge[-1].slot)
            tti_slots_put(j->builder, row, edge->slot - edge[-i].slot, tti_place_at(TTI_INPUT, part.at),
                          part.bytes);
    }
}

static void fill_all(const tti_joined *j)
{
    for (int m = 0; m < j->out.count; m++) {
        const tti_node_message *message = &j->out.messages[m];
        for (int i = 0, n; i < message->count; i += n) {
            const tti_slots_at row = tti_joined_row(j, message, i, &n);
            if (row.owner == TTI_OWN) fill(j, message, i, n, &row);
        }
    }
}

/* Rows are in the hindmost part of WINDOWs, and parts for the caller's own node in front. Before it sends
 * what goes by itself each posts, since the hands wait for all. */
static void by_window(tti_joined *j, tti_neighbor_exchange *e, size_t own)
{
    tti_shape near = *j->shape;
    near.window = j->base;
    e->shape = &near;
    j->own = tti_place_at(TTI_WINDOW, j->base);
    tti_neighbor_receive(e);
    tti_neighbor_show(e);
    fill_all(j);
    tti_build_window(j->builder, j->base + own);
    tti_neighbor_send(e, tti_build_post(j->builder, TTI_ALL));
    tti_joined_exchange(j);
    tti_neighbor_keep_own(j->shape, j->builder, j->whole);
    tti_neighbor_take(e);
    tti_joined_spread(j);
}

static void join(tti_joined *j)
{
    tti_neighbor_exchange e = {
        .shape = j->shape, .builder = j->builder, .whole = j->whole, .out = &j->out, .in = &j->in};
    size_t own;
    set_slots(j->shape, &j->out);
    set_slots(j->shape, &j->in);
    const size_t used = lay(j, &own), window = j->shape->window / TTI_LINE * TTI_LINE;
    if (j->size > 1 && used > 0 && used <= window - window / 4) {
        j->base = window - used;
        by_window(j, &e, own);
        return;
    }
    tti_neighbor_by_window(&e);
    j->own = tti_build_scratch(j->builder, own);
    fill_all(j);
    tti_joined_by_messages(j);
}

void tti_neighbor_by_node_v(const tti_shape *shape, tti_builder *builder, bool whole)
{
    tti_joined j;
    if (shape->nodes == NULL || shape->neighbours->stencil == NULL) {
        tti_neighbor_window(shape, builder, whole);
        return;
    }
    if (!tti_joined_open(&j, shape, builder, whole)) return;
    join(&j);
}
