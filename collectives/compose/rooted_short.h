/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parts between a root and each rank are short enough to go another way than as a message each. */
#ifndef TTI_COMPOSE_ROOTED_SHORT_H
#define TTI_COMPOSE_ROOTED_SHORT_H

#include "collectives/contract/algorithm.h"

/* Whether short parts of that node share a message: it has several ranks, and another has the root. */
static inline bool tti_rooted_joins(const tti_shape *shape, int node)
{
    return node != shape->nodes->node_of[shape->root] && tti_node_ranks(shape->nodes, node) > 1;
}

/* Those of at most so many bytes: of ranks that share memory with the root (`near`), and of nodes whose
 * short parts share a message (`joined`); 0: none. */
typedef struct {
    size_t near, joined;
} tti_rooted_short;

/* Up to how many bytes the part of `rank` does so. */
static inline size_t tti_rooted_short_of(const tti_shape *shape, tti_rooted_short most, int rank)
{
    const tti_node_map *map = shape->nodes;
    if (tti_shape_shares(shape, rank, shape->root)) return most.near;
    return map != NULL && tti_rooted_joins(shape, map->node_of[rank]) ? most.joined : 0;
}

#endif
