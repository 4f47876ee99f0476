/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes along edges from node to node together: see neighbor_by_node.c, and neighbor_by_node_v.c for
 * parts that differ. */
#ifndef TTI_NEIGHBOR_ALLTOALL_NEIGHBOR_JOINED_H
#define TTI_NEIGHBOR_ALLTOALL_NEIGHBOR_JOINED_H

#include "collectives/neighbor_alltoall/neighbor_alltoall.h"
#include "collectives/neighbor_alltoall/node_edges.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    const tti_neighbours *neighbours;
    bool whole;            /* one part, which all targets get */
    int node, place, size; /* the caller's, and how many ranks it has */
    tti_node_messages out, in;
    tti_place own; /* where rows are counted from in the caller's memory */
    size_t base;   /* where rows and messages that come are counted from in WINDOWs */
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
static inline bool tti_joined_is_hands(const tti_joined *j, int node)
{
    return tti_joined_hands_place(j, node) == j->place;
}
static inline int tti_joined_other(const tti_joined *j, int node)
{
    return tti_node_hands(j->shape->nodes, node, j->node);
}
static inline tti_extent tti_joined_received(const tti_joined *j, const tti_node_edge *edge)
{
    return tti_shape_received(j->shape, tti_neighbours_source(j->neighbours, edge->number));
}

/* Tags: those of edges come first. */
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

/* -- neighbor_joined.c -- */
/* With the messages of the caller's node; false if memory is out. */
bool tti_joined_open(tti_joined *j, const tti_shape *shape, tti_builder *builder, bool whole);
/* Lays the messages that come into the WINDOWs of their hands, behind the bytes that each rank of the node
 * uses there; these are counted on. Returns what one uses at most. */
size_t tti_joined_lay(tti_joined *j, size_t *used);
/* On shared memory, when all have shown in their first post what they give: messages from node to node; then
 * each takes what came for it, in which hands have a second post. */
void tti_joined_exchange(const tti_joined *j);
void tti_joined_spread(const tti_joined *j);
/* The row that begins with edge number `i` of a message, of `count` edges, where its source shows it. */
tti_slots_at tti_joined_row(const tti_joined *j, const tti_node_message *message, int i, int *count);
/* Copies it to its place in the message. */
void tti_joined_move_row(const tti_joined *j, const tti_node_message *message, int i, const tti_slots_at *row,
                         int count, const tti_slots_at *to);

/* -- neighbor_by_hands.c: the same, where the ranks of the caller's node pass messages -- */
void tti_joined_by_messages(const tti_joined *j);

#endif
