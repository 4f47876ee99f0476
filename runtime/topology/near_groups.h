/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of near ranks by which small collectives go on a node. */
#ifndef TTI_TOPOLOGY_NEAR_GROUPS_H
#define TTI_TOPOLOGY_NEAR_GROUPS_H

#include <sched.h>

/* Groups the ranks by what the processors share to which each is bound. Returns the number of groups, with
 * group_of[rank]; 0 where they would not save enough, or nothing is known. Loads the machine's topology at
 * first use (milliseconds), not for few ranks. Under the lock. */
int tti_near_groups(const cpu_set_t *bound, int ranks, int *group_of);
/* Forgets the topology. */
void tti_near_groups_close(void);

#endif
