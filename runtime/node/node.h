/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory among the ranks of one node. A tti_node is one rank's view of its node's segment; it is used
 * by one thread at a time (p2p holds its lock where threads are many), except tti_node_wake(). Peers are
 * named by their index among the node's ranks (tti_job.local_ranks). Handles, not globals, so that tests run
 * threads as ranks. What it is for stands in headers of its own:
 *
 * - view: opening and closing it, and who has left; decline: going without it;
 * - mailbox: packets in order between each pair; bell: sleeping until something comes;
 * - single_copy, shared_copy: bulk data, straight from one process's memory to another's;
 * - arena, lasting, node_windows: memory that several ranks have;
 * - processors, places: where ranks may run and where they do; death_watch: their ends;
 * - order: of what a rank stores before it sleeps and looks at then. */
#ifndef TTI_NODE_H
#define TTI_NODE_H

typedef struct tti_node tti_node;

#endif
