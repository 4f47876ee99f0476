/* SPDX-License-Identifier: BSD-3-Clause */
/* Which windows a plan's operations use, and how much of them its schedules may take. */
#ifndef TTI_EXECUTE_PLAN_WINDOW_H
#define TTI_EXECUTE_PLAN_WINDOW_H

#include "collectives/execute/plan.h"

static inline bool tti_algorithm_on_windows(const tti_algorithm *algorithm)
{
    return (algorithm->wants & (TTI_NEEDS_WINDOW | TTI_TAKES_WINDOW)) != 0;
}

/* Before an algorithm is chosen: the windows of the communicator's ranks on this node, and large ones. None
 * where the communicator has none in which blocks would find room, or calls are compared (TUTTI_VERIFY):
 * where they differ, the operations on windows would no longer be in step. TUTTI_ERR_NO_MEMORY. */
int tti_plan_find_windows(tutti_comm *comm, tti_plan *plan, bool crowded);

/* For that algorithm: what passes through a small window in one block takes one, and what passes no data
 * through it; parts whose sizes nobody knows all of those for parts, where they have room. Of ranks of
 * several nodes none uses any where nobody knows who shares one. */
void tti_plan_choose_window(tti_plan *plan, const tti_algorithm *usual);

#endif
