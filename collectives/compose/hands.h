/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of all with all by way of hands: for what the ranks of one node have for those of another each of
 * the two nodes has one rank (tti_node_hands()). Where the caller is, and who exchanges for it. */
#ifndef TTI_COMPOSE_HANDS_H
#define TTI_COMPOSE_HANDS_H

#include "collectives/contract/algorithm.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_node_map *map;
    int node, place, size; /* the caller's, and how many ranks it has */
    size_t block;          /* bytes of a part, where all are alike; else 0 */
} tti_hands;

static inline tti_hands tti_hands_open(const tti_shape *shape, tti_builder *builder)
{
    const tti_node_map *map = shape->nodes;
    const int node = map->node_of[shape->rank];
    return (tti_hands){.shape = shape,
                       .builder = builder,
                       .map = map,
                       .node = node,
                       .place = map->place_of[shape->rank],
                       .size = tti_node_ranks(map, node),
                       .block = shape->parted ? 0 : tti_shape_bytes(shape)};
}

/* The rank at a place of the caller's node. */
static inline int tti_hands_member(const tti_hands *h, int place)
{
    return tti_node_member(h->map, h->node, place);
}
static inline int tti_hands_ranks(const tti_hands *h, int node)
{
    return tti_node_ranks(h->map, node);
}
/* The hands of `node` for the caller's. */
static inline int tti_hands_other(const tti_hands *h, int node)
{
    return tti_node_hands(h->map, node, h->node);
}

#endif
