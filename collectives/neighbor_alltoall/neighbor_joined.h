/* SPDX-License-Identifier: BSD-3-Clause */
/* What neighbours by nodes do on shared memory and by messages: see neighbor_by_node.c. */
#ifndef TTI_NEIGHBOR_JOINED_H
#define TTI_NEIGHBOR_JOINED_H

#include "collectives/neighbor_alltoall/neighbor_direct.h"
#include "collectives/neighbor_alltoall/node_edges.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_neighbours *neighbours;
    bool whole;            /* one part, which all targets get */
    int node, place, size; /* the caller's, and how many ranks it has */
    size_t block;
    tti_node_messages out, in;
} tti_joined;

/* The hands of the caller's node for `node`, and their place among its ranks; those of `node` for the
 * caller's. */
static inline int tti_joined_hands(const tti_joined *j, int node)
{
    return tti_node_hands(j->shape->nodes, j->node, node);
}
static inline int tti_joined_hands_place(const tti_joined *j, int node)
{
    return j->shape->nodes->place_of[tti_joined_hands(j, node)];
}
static inline int tti_joined_other(const tti_joined *j, int node)
{
    return tti_node_hands(j->shape->nodes, node, j->node);
}
static inline size_t tti_joined_bytes(const tti_joined *j, const tti_node_message *message)
{
    return (size_t)message->slots * j->block;
}
/* Where the caller's part for an edge is, and where that which comes along one belongs. */
static inline tti_place tti_joined_given(const tti_joined *j, int edge)
{
    return tti_place_at(TTI_INPUT, j->whole ? 0 : (size_t)edge * j->block);
}
static inline tti_place tti_joined_result(const tti_joined *j, int edge)
{
    return tti_place_at(TTI_OUTPUT, (size_t)tti_neighbours_source(j->neighbours, edge) * j->block);
}
/* Whether no edge before it in the message is for the same part. */
static inline bool tti_joined_is_first(const tti_node_message *message, const tti_node_edge *edge)
{
    return edge == message->edges || edge->slot != edge[-1].slot;
}

/* Tags: those of edges inside the node come first. */
static inline int tti_joined_tag_up(const tti_joined *j, int edge)
{
    return j->neighbours->stencil->count + edge;
}
static inline int tti_joined_tag_down(const tti_joined *j, int edge)
{
    return 2 * j->neighbours->stencil->count + edge;
}
static inline int tti_joined_tag(const tti_joined *j)
{
    return 3 * j->neighbours->stencil->count;
}

/* -- neighbor_by_hands.c: the whole, where the ranks of the caller's node pass messages -- */
void tti_joined_by_messages(const tti_joined *j);

#endif
