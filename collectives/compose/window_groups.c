/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_groups.h"

bool tti_window_groups_open(tti_window_groups *g, const tti_shape *shape, tti_builder *builder, int regions)
{
    const tti_node_map *map = shape->groups;
    const int group = map->node_of[shape->rank], first = map->start[group];
    int *leaders = tti_build_numbers(builder, map->nodes);
    if (leaders == NULL) return false;
    for (int n = 0; n < map->nodes; n++)
        leaders[n] = tti_node_leader(map, n, shape->root);
    *g = (tti_window_groups){.shape = shape,
                             .builder = builder,
                             .blocks = tti_blocks_open(shape, tti_shape_bytes(shape), regions),
                             .leader = leaders[group],
                             .near = {0, tti_node_ranks(map, group) - 1, map->members + first},
                             .leaders = {0, map->nodes - 1, leaders}};
    return true;
}

void tti_window_groups_await(const tti_window_groups *g, tti_window_ranks ranks, int post)
{
    for (int i = ranks.first; i <= ranks.last; i++)
        if (ranks.list[i] != g->shape->rank) tti_build_await_post(g->builder, ranks.list[i], post);
}

void tti_window_groups_combine(const tti_window_groups *g, int k)
{
    const size_t in = tti_blocks_half(&g->blocks, k);
    tti_window_combine_with(g->builder, g->shape->rank, tti_window_groups_of(g, tti_shape_own(g->shape), k),
                            g->near, in, tti_place_at(TTI_WINDOW, in), tti_blocks_bytes(&g->blocks, k));
}
