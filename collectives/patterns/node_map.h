/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of a communicator share a node. Constant once made; 16 bytes a rank. */
#ifndef TTI_PATTERNS_NODE_MAP_H
#define TTI_PATTERNS_NODE_MAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int nodes;     /* nodes that have ranks of the communicator, numbered in the order of their first ranks */
    int *node_of;  /* [size] node of each rank */
    int *place_of; /* [size] among the ranks of its node */
    int *start;    /* [nodes + 1] the ranks of node n are members[start[n]] … members[start[n + 1] - 1] */
    int *members;  /* [size] ascending within a node */
} tti_node_map;

/* From any number that tells nodes apart, for each of `size` ranks; NULL if memory is out. */
tti_node_map *tti_node_map_make(const int *labels, int size);
void tti_node_map_free(tti_node_map *map);
/* How many ranks the largest node has. */
int tti_node_map_most(const tti_node_map *map);

static inline int tti_node_ranks(const tti_node_map *map, int node)
{
    return map->start[node + 1] - map->start[node];
}
/* The one at a place of `node`. */
static inline int tti_node_member(const tti_node_map *map, int node, int place)
{
    return map->members[map->start[node] + place];
}
/* Its first rank, but of the root's node the root. */
static inline int tti_node_leader(const tti_node_map *map, int node, int root)
{
    return map->node_of[root] == node ? root : tti_node_member(map, node, 0);
}
/* The rank of `node` through which its ranks exchange with those of `other`: the hands of the one for the
 * other, so that all have a part of the work. */
static inline int tti_node_hands(const tti_node_map *map, int node, int other)
{
    return tti_node_member(map, node, other % tti_node_ranks(map, node));
}
/* Whether they are two nodes of several ranks each, which may join what they have for each other. */
static inline bool tti_nodes_join(const tti_node_map *map, int a, int b)
{
    return a != b && tti_node_ranks(map, a) > 1 && tti_node_ranks(map, b) > 1;
}

/* True if knowing it helps: there are several nodes, and some have several ranks. */
static inline bool tti_node_map_helps(const tti_node_map *map, int size)
{
    return map != NULL && map->nodes > 1 && map->nodes < size;
}

#endif
