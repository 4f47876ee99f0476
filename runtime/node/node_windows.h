/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of windows, given out to communicators and taken back. */
#ifndef TTI_NODE_WINDOWS_H
#define TTI_NODE_WINDOWS_H

#include <stdint.h>

#include "runtime/node/node.h"
#include "runtime/node/windows_layout.h"

/* The set that the ranks of the node as a whole have, from the beginning. */
#define TTI_NODE_WINDOWS_OF_ALL 0
/* By which those that share a set know it: numbers that never come again together. */
typedef struct {
    uint64_t of, number; /* `of` above 0 */
} tti_node_windows_name;
/* A set for `count` peers, with counts of 0, or -1 if all are in use; each of the peers leaves it. One rank
 * takes it for all. The others find it once they know that this rank has; -1: it got none. */
int tti_node_windows_take(tti_node *node, const int *peers, int count, const tti_node_windows_name *name);
int tti_node_windows_find(const tti_node *node, const tti_node_windows_name *name);
void tti_node_windows_leave(tti_node *node, int set);
/* The set of that name, if there is one, which this rank has not used: it may be given back meanwhile. */
void tti_node_windows_leave_unused(tti_node *node, const tti_node_windows_name *name);
/* One that no other rank will use; it may leave it, as one that a dead rank had taken, before or after. */
void tti_node_windows_give_back(tti_node *node, int set);

#endif
