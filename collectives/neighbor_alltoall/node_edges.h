/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges between the caller's node and others, where neighbours are by offsets, so that each rank can tell
 * those of all. What goes along edges from one node to another is one message of parts in a row. */
#ifndef TTI_NEIGHBOR_ALLTOALL_NODE_EDGES_H
#define TTI_NEIGHBOR_ALLTOALL_NODE_EDGES_H

#include "collectives/compose/slots.h"
#include "collectives/contract/algorithm.h"

typedef struct {
    int node;           /* the other one, as numbered in shape->nodes */
    int source, number; /* the rank from which the edge leads, and which of its edges it is */
    int target;
    int slot;     /* of its part in the message */
    int row;      /* for whoever lays parts: the how many-th it is of those that its source has in a row */
    size_t shown; /* likewise: where that row is in the source's memory */
} tti_node_edge;

typedef struct {
    int node;
    tti_node_edge *edges; /* by source and number */
    int count;
    tti_slots slots; /* how large, and whether they have numbers, is for whoever lays them */
    size_t at;       /* likewise: where the message comes */
} tti_node_message;

typedef struct {
    tti_node_message *messages; /* by node */
    int count;
} tti_node_messages;

/* Those that lead out of the caller's node, or into it; both ends of a message list the same. `whole`: all
 * that goes from a rank to a node is one part. Lasts as long as the builder; false if memory is out. */
bool tti_node_messages_list(const tti_shape *shape, tti_builder *builder, bool out, bool whole,
                            tti_node_messages *list);
/* From or to that node; NULL: there is none. */
const tti_node_message *tti_node_messages_find(const tti_node_messages *list, int node);

#endif
