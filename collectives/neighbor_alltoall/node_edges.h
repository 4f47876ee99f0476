/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges between the caller's node and others, where neighbours are by offsets, so that each rank can tell
 * those of all. What goes along edges from one node to another is one message of parts in a row. */
#ifndef TTI_NEIGHBOR_NODE_EDGES_H
#define TTI_NEIGHBOR_NODE_EDGES_H

#include "collectives/contract/algorithm.h"

typedef struct {
    int node;           /* the other one, as numbered in shape->nodes */
    int source, number; /* the rank from which the edge leads, and which of its edges it is */
    int target;
    int slot; /* of its part in the message */
} tti_node_edge;

typedef struct {
    int node;
    const tti_node_edge *edges; /* by source and number */
    int count;
    int slots; /* parts */
    size_t at; /* for whoever lays messages somewhere */
} tti_node_message;

typedef struct {
    tti_node_message *messages; /* by node */
    int count;
} tti_node_messages;

/* Those that lead out of the caller's node, or into it; both ends of a message list the same. `whole`: all
 * that goes from a rank to a node is one part. Lasts as long as the builder; false if memory is out. */
bool tti_node_messages_list(const tti_shape *shape, tti_builder *builder, bool out, bool whole,
                            tti_node_messages *list);

#endif
