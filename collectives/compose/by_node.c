/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_node.h"

/* Inside a node messages are cheap and a leader of few ranks may take them all in one round. */
#define INSIDE_RADIX 8

static int leader_of(const tti_shape *shape, int node)
{
    return tti_node_leader(shape->nodes, node, shape->root);
}

static int last_of(const tti_shape *shape, int node)
{
    return shape->nodes->members[shape->nodes->start[node + 1] - 1];
}

static bool open_with(const tti_shape *shape, tti_builder *builder, tti_by_node *by,
                      int (*leader_fn)(const tti_shape *, int))
{
    const tti_node_map *map = shape->nodes;
    const int node = map->node_of[shape->rank], leader = leader_fn(shape, node);
    int *leaders = tti_build_numbers(builder, map->nodes);
    if (leaders == NULL) return false;
    for (int n = 0; n < map->nodes; n++)
        leaders[n] = leader_fn(shape, n);
    *by = (tti_by_node){.local = map->members + map->start[node], .leaders = leaders};
    by->leads = leader == shape->rank;
    by->inside = by->between = *shape;
    by->inside.size = tti_node_ranks(map, node);
    by->inside.radix = INSIDE_RADIX;
    by->lead = map->place_of[leader];
    by->inside.rank = map->place_of[shape->rank];
    by->inside.root = by->lead;
    by->between.rank = node;
    by->between.size = map->nodes;
    by->between.root = map->node_of[shape->root];
    return true;
}

bool tti_by_node_open(const tti_shape *shape, tti_builder *builder, tti_by_node *by)
{
    return open_with(shape, builder, by, leader_of);
}

bool tti_by_node_open_last(const tti_shape *shape, tti_builder *builder, tti_by_node *by)
{
    return open_with(shape, builder, by, last_of);
}
