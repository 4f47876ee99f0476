/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of neighbours through WINDOWs (neighbor_window.c), for whoever joins what goes to other nodes. */
#ifndef TTI_NEIGHBOR_ALLTOALL_NEIGHBOR_WINDOW_H
#define TTI_NEIGHBOR_ALLTOALL_NEIGHBOR_WINDOW_H

#include "collectives/compose/window_parts.h"
#include "collectives/neighbor_alltoall/node_edges.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    bool whole;  /* one part, which all targets read */
    bool blocks; /* what is longer than a share of a WINDOW, up to a chunk, is no message */
    const tti_node_messages *out, *in; /* in whose slots short parts for other nodes go; NULL: none */
} tti_neighbor_exchange;

/* How what goes along its edges lies in the caller's WINDOW, and in that of a source whom it meets. */
tti_window_parts tti_neighbor_own_parts(const tti_neighbor_exchange *e);
tti_window_parts tti_neighbor_parts_of_source(const tti_neighbor_exchange *e, int source);
/* Whether the part between the caller and that rank, its source or target, may pass through a WINDOW. */
bool tti_neighbor_meets(const tti_neighbor_exchange *e, int rank);

/* What goes as messages of their own: between nodes, and what is too long for WINDOWs; they are sent after
 * that step (-1: at once). */
void tti_neighbor_receive(const tti_neighbor_exchange *e);
void tti_neighbor_send(const tti_neighbor_exchange *e, int earlier);
/* Puts what others read of the caller's into its WINDOW, for the next post; false: there is nothing. */
bool tti_neighbor_show(const tti_neighbor_exchange *e);
/* Takes what others show in their first post. */
void tti_neighbor_take(const tti_neighbor_exchange *e);
/* All of it. */
void tti_neighbor_by_window(const tti_neighbor_exchange *e);

#endif
