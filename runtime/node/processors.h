/* SPDX-License-Identifier: BSD-3-Clause */
/* The node's ranks on their processors. */
#ifndef TTI_NODE_PROCESSORS_H
#define TTI_NODE_PROCESSORS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* How many ranks of the node come by themselves; the others are in reserve, behind them. */
int tti_node_expected(const tti_node *node);
/* True once all these have attached. */
bool tti_node_all_here(const tti_node *node);
/* A set of processors for each of *ranks: where it may run, empty if that is not known. Freed by the caller;
 * NULL if memory is out. */
cpu_set_t *tti_node_cpus(const tti_node *node, int *ranks);
/* False of one that has not opened the node yet; it may be about to, or have failed before. */
bool tti_node_has_come(const tti_node *node, int peer);
/* True if the peer's process is known to be stopped, by SIGSTOP or a debugger. */
bool tti_node_is_stopped(const tti_node *node, int peer);
/* A turn of this rank's on a core that it shares ends; times are rough ns. How much the other ranks' last
 * turns took that ended since then, none counted for more than `most`. */
void tti_node_note_turn(const tti_node *node, int64_t ended, int64_t took);
int64_t tti_node_turns(const tti_node *node, int64_t since, int64_t most);

#endif
