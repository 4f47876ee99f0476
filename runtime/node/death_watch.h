/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's word of deaths on the node. */
#ifndef TTI_NODE_DEATH_WATCH_H
#define TTI_NODE_DEATH_WATCH_H

#include <stdbool.h>

#include "runtime/node/node.h"

/* A thread that hears from the kernel when a peer's process ends, and calls `died` with its rank in the job,
 * unless the peer had left; with few descriptors, of some peers. NULL: there is none, and the launcher alone
 * tells. */
typedef struct tti_node_deaths tti_node_deaths;
typedef void tti_node_death_fn(int job_rank);
tti_node_deaths *tti_node_deaths_open(const tti_node *node, tti_node_death_fn *died);
/* Whether it hears of all peers. */
bool tti_node_deaths_are_all_heard(const tti_node_deaths *deaths);
/* Processes in reserve come now, too. Any thread, while it is open. */
void tti_node_deaths_expect(tti_node_deaths *deaths);
void tti_node_deaths_close(tti_node_deaths *deaths);

#endif
