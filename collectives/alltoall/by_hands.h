/* SPDX-License-Identifier: BSD-3-Clause */
/* What alltoall by nodes does on shared memory and by messages: see alltoall_by_node.c. Where the caller is,
 * and who its hands are, alltoallv has from here, too. */
#ifndef TTI_ALLTOALL_BY_HANDS_H
#define TTI_ALLTOALL_BY_HANDS_H

#include "collectives/alltoall/alltoall.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_node_map *map;
    int node, place, size; /* the caller's, and how many ranks it has */
    size_t block;
} tti_hands;

/* Without the bytes of a block. */
static inline tti_hands tti_hands_open(const tti_shape *shape, tti_builder *builder)
{
    const tti_node_map *map = shape->nodes;
    const int node = map->node_of[shape->rank];
    return (tti_hands){.shape = shape,
                       .builder = builder,
                       .map = map,
                       .node = node,
                       .place = map->place_of[shape->rank],
                       .size = tti_node_ranks(map, node)};
}

/* Between nodes; inside one, of rows and columns, further tags follow. */
enum { TTI_TAG_HANDS, TTI_TAG_ROW, TTI_TAG_COLUMN, TTI_TAGS_OF_NODE = 2 };

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
/* Bytes of what a rank of the caller's node gets from that node, or has for it; and all of them. */
static inline size_t tti_hands_column(const tti_hands *h, int node)
{
    return h->block * (size_t)tti_hands_ranks(h, node);
}
static inline size_t tti_hands_message(const tti_hands *h, int node)
{
    return tti_hands_column(h, node) * (size_t)h->size;
}
/* The caller's block for a rank; where that of the rank at a position in the order of nodes comes. */
static inline tti_place tti_hands_own(const tti_hands *h, int rank)
{
    return tti_place_plus(tti_shape_own(h->shape), h->block * (size_t)rank);
}
static inline tti_place tti_hands_result(const tti_hands *h, int position)
{
    return tti_place_at(TTI_OUTPUT, h->block * (size_t)h->map->members[position]);
}

/* -- by_hands.c -- */
/* Puts the column from `node`, which is at `from`, or in a peer's WINDOW, into place. */
void tti_hands_put(const tti_hands *h, int node, tti_place from);
void tti_hands_put_from(const tti_hands *h, int node, int peer, size_t offset);
/* The whole, where the ranks of the caller's node pass messages. */
void tti_hands_by_messages(const tti_hands *h);

#endif
