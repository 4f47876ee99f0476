/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes along edges from one node to another is one message, between two ranks that are the hands of
 * their nodes for each other, as in alltoall by nodes. A message has a part for each edge, or, of what goes
 * to all targets alike, for each rank that gives; both hands list them by rank and edge.
 *
 *   a ring of 2 nodes of 2 ranks, up 0 → 1 → 2 → 3 → 0 and down      1 → 2: 0↓3 1↑2      2 → 1: 2↓1 3↑0
 *
 * On shared memory where all of it finds room there at once, else inside a node by messages, too. Of more
 * than MOST_OF_NODE each part goes by itself. */
#include "collectives/compose/window_blocks.h"
#include "collectives/neighbor_alltoall/neighbor_joined.h"

#define MOST_OF_NODE ((size_t)2 << 20)

static tti_place part_of(const tti_joined *j, int edge)
{
    return tti_place_at(TTI_INPUT, j->whole ? 0 : (size_t)edge * tti_shape_bytes(j->shape));
}

/* Each shows parts as they lie in its INPUT: in rows are those of edges one after the other. */
static void lay_rows(const tti_joined *j, tti_node_message *message)
{
    for (int i = 0; i < message->count; i++) {
        tti_node_edge *edge = &message->edges[i];
        const bool goes_on =
            i > 0 && edge->source == edge[-1].source && (j->whole || edge->number == edge[-1].number + 1);
        edge->row = goes_on ? edge[-1].row + 1 : 0;
        edge->shown = part_of(j, edge->number).offset;
    }
}

static void set_parts(tti_joined *j)
{
    j->own = tti_place_at(TTI_INPUT, 0);
    for (int i = 0; i < j->in.count; i++)
        j->in.messages[i].slots.most = tti_shape_bytes(j->shape);
    for (int i = 0; i < j->out.count; i++) {
        j->out.messages[i].slots.most = tti_shape_bytes(j->shape);
        lay_rows(j, &j->out.messages[i]);
    }
}

/* Whether what all show, and the messages that come, find room in WINDOWs. */
static bool fits(tti_joined *j)
{
    const size_t own =
        tti_lines(tti_shape_bytes(j->shape) * (size_t)(j->whole ? 1 : j->neighbours->targets.count));
    size_t *used = tti_build_sizes(j->builder, j->size);
    if (used == NULL || j->size == 1 || j->shape->window == 0) return false;
    for (int p = 0; p < j->size; p++)
        used[p] = own;
    return tti_joined_lay(j, used) <= j->shape->window;
}

/* Whether another rank of the node reads what the caller gives along an edge. */
static bool is_read(const tti_joined *j, int edge)
{
    const int target = j->neighbours->targets.ranks[edge];
    if (target < 0 || target == j->shape->rank) return false;
    const int node = j->shape->nodes->node_of[target];
    return node == j->node || !tti_joined_is_hands(j, node);
}

/* How many parts from that of an edge on others read. */
static int read_from(const tti_joined *j, int edge)
{
    const int count = j->neighbours->targets.count;
    int n = 0;
    while (edge + n < count && is_read(j, edge + n))
        n++;
    return n;
}

static void show_own(const tti_joined *j)
{
    const size_t bytes = tti_shape_bytes(j->shape);
    const int count = j->neighbours->targets.count;
    bool shown = false;
    for (int i = 0; i < count;) {
        const tti_place from = part_of(j, i);
        const int n = read_from(j, i), parts = j->whole ? 1 : n;
        if (n > 0 && !(j->whole && shown))
            tti_build_copy(j->builder, from, tti_place_at(TTI_WINDOW, from.offset), bytes * (size_t)parts);
        shown = shown || n > 0;
        i += n > 0 ? n : 1;
    }
    tti_build_post(j->builder, TTI_ALL);
}

static bool is_inside(const tti_joined *j, int peer)
{
    return peer >= 0 && peer != j->shape->rank && j->shape->nodes->node_of[peer] == j->node;
}

static void take_inside(const tti_joined *j)
{
    for (int i = 0; i < j->neighbours->sources.count; i++) {
        const int source = j->neighbours->sources.ranks[i], edge = j->neighbours->sources.numbers[i];
        const tti_extent part = tti_shape_received(j->shape, i);
        if (!is_inside(j, source)) continue;
        tti_build_await_post(j->builder, source, 1);
        tti_build_copy_from(j->builder, source, part_of(j, edge).offset, tti_place_at(TTI_OUTPUT, part.at),
                            part.bytes);
    }
}

static void by_window(const tti_joined *j)
{
    show_own(j);
    tti_joined_exchange(j);
    tti_neighbor_keep_own(j->shape, j->builder, j->whole);
    take_inside(j);
    tti_joined_spread(j);
}

static void exchange_inside(const tti_joined *j)
{
    const tti_neighbour_list *from = &j->neighbours->sources, *to = &j->neighbours->targets;
    for (int i = 0; i < from->count; i++) {
        const tti_extent part = tti_shape_received(j->shape, i);
        if (is_inside(j, from->ranks[i]))
            tti_build_recv(j->builder, tti_place_at(TTI_OUTPUT, part.at), part.bytes, from->ranks[i],
                           from->numbers[i]);
    }
    for (int i = 0; i < to->count; i++)
        if (is_inside(j, to->ranks[i]))
            tti_build_send(j->builder, part_of(j, i), tti_shape_bytes(j->shape), to->ranks[i], i);
    tti_neighbor_keep_own(j->shape, j->builder, j->whole);
}

/* By what all ranks of the largest node give, as all ranks know it. */
static bool joins(const tti_shape *shape, bool whole)
{
    if (shape->nodes == NULL || shape->neighbours->stencil == NULL) return false;
    const size_t parts =
        (size_t)tti_node_map_most(shape->nodes) * (size_t)(whole ? 1 : shape->neighbours->targets.count);
    const size_t given = parts * tti_shape_bytes(shape);
    return given > 0 && given <= MOST_OF_NODE;
}

void tti_neighbor_by_node(const tti_shape *shape, tti_builder *builder, bool whole)
{
    tti_joined j;
    if (!joins(shape, whole)) {
        tti_neighbor_window(shape, builder, whole);
        return;
    }
    if (!tti_joined_open(&j, shape, builder, whole)) return;
    set_parts(&j);
    if (fits(&j)) {
        by_window(&j);
    } else {
        exchange_inside(&j);
        tti_joined_by_messages(&j);
    }
}
