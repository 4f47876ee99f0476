/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_node.h"

#include "collectives/algorithms.h"

/* Inside a node messages are cheap and a leader of few ranks may take them all in one round. */
#define INSIDE_RADIX 8

static int leader_of(const tti_shape *shape, int node)
{
    const tti_node_map *map = shape->nodes;
    return map->node_of[shape->root] == node ? shape->root : map->members[map->start[node]];
}

bool tti_by_node_open(const tti_shape *shape, tti_builder *builder, tti_by_node *by)
{
    const tti_node_map *map = shape->nodes;
    const int node = map->node_of[shape->rank], leader = leader_of(shape, node);
    int *leaders = tti_build_numbers(builder, map->nodes);
    if (leaders == NULL) return false;
    for (int n = 0; n < map->nodes; n++)
        leaders[n] = leader_of(shape, n);
    *by = (tti_by_node){.local = map->members + map->start[node], .leaders = leaders};
    by->leads = leader == shape->rank;
    by->inside = by->between = *shape;
    by->inside.size = map->start[node + 1] - map->start[node];
    by->inside.radix = INSIDE_RADIX;
    for (int i = 0; i < by->inside.size; i++) {
        if (by->local[i] == leader) by->lead = i;
        if (by->local[i] == shape->rank) by->inside.rank = i;
    }
    by->inside.root = by->lead;
    by->between.rank = node;
    by->between.size = map->nodes;
    by->between.root = map->node_of[shape->root];
    return true;
}

void tti_by_node_spread(const tti_by_node *by, tti_builder *builder,
                        void (*between)(const tti_shape *, tti_builder *))
{
    if (by->leads) {
        tti_build_part(builder, by->leaders);
        between(&by->between, builder);
    }
    tti_build_part(builder, by->local);
    tti_bcast_knomial(&by->inside, builder);
    tti_build_part(builder, NULL);
}
