/* SPDX-License-Identifier: BSD-3-Clause */
/* The root scatters parts in its node, each part goes among its leaders, and all ranks of a node get it from
 * the one that leads it there: no rank sends the whole message to each of its neighbours.
 *
 *   2 nodes of 2, root 0        scatter      between       inside
 *   rank 0                      ab           ab            ab
 *   rank 1                      ·b           ·b            ab
 *   rank 2                      ··           a·            ab
 *   rank 3                      ··           ·b            ab
 *
 * K. Kandalla et al., "Designing multi-leader-based allgather algorithms for multi-core clusters", 2009, for
 * the leaders. */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/by_leaders_window.h"

/* The root gives each leader of its node the part that it leads. */
static void scatter(const tti_by_leaders *by)
{
    for (int part = 0; part < by->parts; part++) {
        const tti_extent cut = tti_by_leaders_part(by, part);
        const tti_place place = tti_place_at(TTI_OUTPUT, cut.at);
        const int leader = by->local[tti_by_leaders_here(by, part)];
        if (leader == by->shape->root) continue;
        if (by->shape->rank == by->shape->root)
            tti_build_send(by->builder, place, cut.bytes, leader, part);
        else if (by->shape->rank == leader)
            tti_build_recv(by->builder, place, cut.bytes, by->shape->root, part);
    }
}

static int root_place(const tti_by_leaders *by)
{
    const tti_node_map *map = by->shape->nodes;
    return map->node_of[by->shape->root] == map->node_of[by->shape->rank] ? map->place_of[by->shape->root]
                                                                          : -1;
}

static void by_leaders(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    tti_by_leaders by;
    if (!tti_by_leaders_open(shape, builder, &by)) return;
    const int root = root_place(&by);
    if (root >= 0 && by.shares)
        tti_by_leaders_scatter_shared(&by, root);
    else if (root >= 0)
        scatter(&by);
    tti_by_leaders_between(&by, shape->in_place, between);
    if (by.shares)
        tti_by_leaders_spread_shared(&by, root);
    else
        tti_by_leaders_spread(&by, root);
}

void tti_bcast_by_leaders(const tti_shape *shape, tti_builder *builder)
{
    by_leaders(shape, builder, tti_bcast_knomial);
}

void tti_bcast_by_leaders_ring(const tti_shape *shape, tti_builder *builder)
{
    by_leaders(shape, builder, tti_bcast_scatter_ring);
}
