/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the ranks of a node can all run at once, from where they are bound alone: no topology is loaded. */
#ifndef TTI_TOPOLOGY_CROWDING_H
#define TTI_TOPOLOGY_CROWDING_H

#include <sched.h>
#include <stdbool.h>

/* How many ranks are left when as many as possible have got a processor of their own among those of their
 * sets (one set per rank, as sched_getaffinity() says it). 0: nobody has to share; more: ranks take time from
 * each other, and waiting should yield. Hardware threads count as processors. A rank with an empty set, whose
 * place is unknown, is among those left. */
int tti_topology_crowded(const cpu_set_t *bound, int ranks);
/* Whether it is known of any of the ranks where it may run. */
bool tti_topology_knows_any(const cpu_set_t *bound, int ranks);
/* How many of the ranks may run on a processor of the set `own`. */
int tti_topology_sharing(const cpu_set_t *own, const cpu_set_t *bound, int ranks);

#endif
