/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/neighbor_alltoall/node_edges.h"

#include <stdlib.h>

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const tti_node_edge *x = a, *y = b;
    const int node = compare(x->node, y->node), source = compare(x->source, y->source);
    if (node != 0) return node;
    return source != 0 ? source : compare(x->number, y->number);
}

/* The edges of the caller's node that join it with others; returns how many. */
static int find_edges(const tti_shape *shape, bool out, tti_node_edge *edges)
{
    const tti_node_map *map = shape->nodes;
    const tti_stencil *stencil = shape->neighbours->stencil;
    const int node = map->node_of[shape->rank];
    int count = 0;
    for (int i = map->start[node]; i < map->start[node + 1]; i++)
        for (int e = 0; e < stencil->count; e++) {
            const int member = map->members[i], other = tti_stencil_reach(stencil, member, e, out ? 1 : -1);
            if (other < 0 || map->node_of[other] == node) continue;
            edges[count++] = (tti_node_edge){.node = map->node_of[other],
                                             .source = out ? member : other,
                                             .number = e,
                                             .target = out ? other : member};
        }
    return count;
}

/* Edges that stand in their order. */
static void part_messages(tti_node_messages *list, tti_node_edge *edges, int count, bool whole)
{
    list->count = 0;
    for (int i = 0; i < count; i++) {
        tti_node_edge *edge = &edges[i];
        const bool first = i == 0 || edge->node != edge[-1].node;
        if (first) list->messages[list->count++] = (tti_node_message){.node = edge->node, .edges = edge};
        tti_node_message *message = &list->messages[list->count - 1];
        if (first || !whole || edge->source != edge[-1].source) message->slots.slots++;
        edge->slot = message->slots.slots - 1;
        message->count++;
    }
}

bool tti_node_messages_list(const tti_shape *shape, tti_builder *builder, bool out, bool whole,
                            tti_node_messages *list)
{
    const int most = tti_shape_sharers(shape) * shape->neighbours->stencil->count;
    tti_node_edge *edges = tti_build_memory(builder, most, sizeof *edges);
    list->messages = tti_build_memory(builder, most, sizeof *list->messages);
    if (edges == NULL || list->messages == NULL) return false;
    const int count = find_edges(shape, out, edges);
    qsort(edges, (size_t)count, sizeof *edges, by_place);
    part_messages(list, edges, count, whole);
    return true;
}

const tti_node_message *tti_node_messages_find(const tti_node_messages *list, int node)
{
    for (int i = 0; i < list->count; i++)
        if (list->messages[i].node == node) return &list->messages[i];
    return NULL;
}
