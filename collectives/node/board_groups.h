/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of a board are near each other. */
#ifndef TTI_COLLECTIVES_BOARD_GROUPS_H
#define TTI_COLLECTIVES_BOARD_GROUPS_H

#include <sched.h>

/* Groups the ranks by what the processors share to which each is bound. Returns the number of groups, with
 * group_of[rank]; 0 where they would not save enough, or nothing is known. Loads the machine's topology at
 * first use (milliseconds), not for few ranks. Under the lock. */
int tti_board_group(const cpu_set_t *bound, int ranks, int *group_of);
/* Forgets the topology. */
void tti_board_groups_close(void);

#endif
