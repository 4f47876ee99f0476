/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's view of its node: opened, which says that it came, and closed, which says that it left. */
#ifndef TTI_NODE_VIEW_H
#define TTI_NODE_VIEW_H

#include "pmi/pmi.h"
#include "runtime/machine/crossings.h"
#include "runtime/node/node.h"

/* Creates or joins the node's segment (found by the other local ranks through pmi; it leaves no name behind)
 * and attaches. TUTTI_ERR_NO_MEMORY with need and have where memory is short; TUTTI_ERR_UNSUPPORTED, at all
 * ranks of the node alike, where not all can reach it: the first one may not be dumped, or has a namespace of
 * process ids of its own. */
int tti_node_open(const tti_job *job, tti_node **node);
/* The same over `ranks` threads of one process, for tests: view `index` of a segment made by index 0's call.
 */
int tti_node_open_threads(int ranks, int index, void **segment, tti_node **node);
void tti_node_close(tti_node *node);
/* From which sizes on which ways are the shorter ones, by the figures of this node: the same at all its
 * ranks, for choices that all must make alike. */
const tti_crossings *tti_node_crossings(const tti_node *node);
/* crossings->single, but by how long a line takes between this rank and the peer now: each finds that by
 * calls of the other's. */
size_t tti_node_single_least(tti_node *node, int peer, enum tti_crossing_collective crossing);
/* True once the peer has closed its view: it reads and answers nothing any more. Peers that sleep are woken.
 */
bool tti_node_has_left(const tti_node *node, int peer);
/* How many have left; who counts anew looks at each again. */
uint32_t tti_node_departures(const tti_node *node);

#endif
