/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_leaders.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* Between two ranks that lead several parts, each part has tags of its own. */
#define PART_TAGS (TTI_BUILD_TAGS / TTI_LEADERS_MAX)
/* Messages inside a node: each part has one tag on its way to the leader and one on its way back. */
#define TAG_SPREAD TTI_LEADERS_MAX

static int count_parts(const tti_shape *shape)
{
    const int largest = tti_node_map_most(shape->nodes);
    const int most = shape->leaders > 0 ? shape->leaders : TTI_LEADERS_MAX;
    return largest < most ? largest : most;
}

/* Place of the node's first leader. */
static int first_place(const tti_shape *shape, int node)
{
    const tti_node_map *map = shape->nodes;
    return map->node_of[shape->root] == node ? map->place_of[shape->root] : 0;
}

/* Whether a piece of each part finds room in WINDOWs, which the ranks of the caller's node share. */
static bool window_holds(const tti_by_leaders *by)
{
    const size_t each = by->shape->window / (size_t)(TTI_WINDOW_REGIONS * by->parts);
    return by->size > 1 && each >= TTI_LINE && each / TTI_LINE * TTI_LINE >= by->shape->element;
}

bool tti_by_leaders_open(const tti_shape *shape, tti_builder *builder, tti_by_leaders *by)
{
    const tti_node_map *map = shape->nodes;
    const int node = map->node_of[shape->rank];
    *by = (tti_by_leaders){.shape = shape,
                           .builder = builder,
                           .local = map->members + map->start[node],
                           .size = tti_node_ranks(map, node),
                           .place = map->place_of[shape->rank],
                           .parts = count_parts(shape),
                           .peers = tti_build_numbers(builder, map->nodes)};
    by->shares = window_holds(by);
    return by->peers != NULL;
}

/* As tti_by_leaders_here(), for a node. */
static int place_on(const tti_by_leaders *by, int node, int part)
{
    const int size = tti_node_ranks(by->shape->nodes, node);
    return (first_place(by->shape, node) + (int)((long long)part * size / by->parts)) % size;
}

int tti_by_leaders_here(const tti_by_leaders *by, int part)
{
    return place_on(by, by->shape->nodes->node_of[by->shape->rank], part);
}

int tti_by_leaders_turn(const tti_by_leaders *by, int turn)
{
    return (int)(((long long)by->place * by->parts / by->size + 1 + turn) % by->parts);
}

static void between_leaders(const tti_by_leaders *by, int part, tti_shape shape, tti_build_fn *between)
{
    const tti_extent cut = tti_by_leaders_part(by, part);
    for (int n = 0; n < shape.size; n++)
        by->peers[n] = tti_node_member(by->shape->nodes, n, place_on(by, n, part));
    shape.count = cut.bytes / shape.element;
    tti_build_part(by->builder, by->peers);
    tti_build_place(by->builder, tti_place_at(TTI_INPUT, cut.at), tti_place_at(TTI_OUTPUT, cut.at),
                    part * PART_TAGS, PART_TAGS);
    between(&shape, by->builder);
    tti_build_whole(by->builder);
}

void tti_by_leaders_between(const tti_by_leaders *by, bool in_place, tti_build_fn *between)
{
    const tti_node_map *map = by->shape->nodes;
    tti_shape shape = *by->shape;
    shape.rank = map->node_of[shape.rank];
    shape.size = map->nodes;
    shape.root = map->node_of[shape.root];
    shape.in_place = in_place;
    for (int part = 0; part < by->parts; part++)
        if (tti_by_leaders_here(by, part) == by->place) between_leaders(by, part, shape, between);
}

static void give_part(const tti_by_leaders *by, int part, int except)
{
    const tti_extent cut = tti_by_leaders_part(by, part);
    for (int i = 1; i < by->size; i++) {
        const int to = tti_ring(by->place, i, by->size);
        if (to != except)
            tti_build_send(by->builder, tti_place_at(TTI_OUTPUT, cut.at), cut.bytes, by->local[to],
                           TAG_SPREAD + part);
    }
}

void tti_by_leaders_spread(const tti_by_leaders *by, int except)
{
    for (int turn = 0; turn < by->parts; turn++) {
        const int part = tti_by_leaders_turn(by, turn), leader = tti_by_leaders_here(by, part);
        const tti_extent cut = tti_by_leaders_part(by, part);
        if (leader == by->place)
            give_part(by, part, except);
        else if (by->place != except)
            tti_build_recv(by->builder, tti_place_at(TTI_OUTPUT, cut.at), cut.bytes, by->local[leader],
                           TAG_SPREAD + part);
    }
}
