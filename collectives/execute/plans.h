/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans kept for further calls of the same shape, which build nothing then. Of too many the least recently
 * used go. Under the lock. */
#ifndef TTI_EXECUTE_PLANS_H
#define TTI_EXECUTE_PLANS_H

#include "collectives/execute/plan.h"

typedef struct {
    tti_link list; /* most recently used first */
    int count;
} tti_plans;

void tti_plans_open(tti_plans *plans);
/* Takes over the caller's reference. */
void tti_plans_keep(tti_plans *plans, tti_plan *plan);
/* With no reference for the caller; NULL: there is none for that call. */
tti_plan *tti_plans_find(tti_plans *plans, enum tti_collective collective, const tti_shape *shape);
/* That of the last call, if that was such a call; likewise. */
static inline tti_plan *tti_plans_last(const tti_plans *plans, enum tti_collective collective,
                                       const tti_shape *shape)
{
    if (tti_list_empty(&plans->list)) return NULL;
    tti_plan *plan = TTI_OWNER(plans->list.next, tti_plan, link);
    return tti_plan_fits(plan, collective, shape) ? plan : NULL;
}
/* Runs at rest stay with the most recently used plans alone whose scratch memory is no more than that,
 * together. */
void tti_plans_trim(tti_plans *plans, size_t most);
/* Keeps none of them any more. */
void tti_plans_drop(tti_plans *plans);

#endif
