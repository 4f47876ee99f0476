/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans kept for further calls of the same shape, which build nothing then. Each has its place in one of a
 * few sets, by its shape; of too many in a set the least recently used goes. Under the lock. */
#ifndef TTI_EXECUTE_PLANS_H
#define TTI_EXECUTE_PLANS_H

#include "collectives/execute/plan.h"

#define TTI_PLANS_SETS 8
#define TTI_PLANS_OF_SET 16
#define TTI_PLANS_MOST (TTI_PLANS_SETS * TTI_PLANS_OF_SET)

/* Who looks for a plan reads these alone, and not the plans, which no cache may hold any more. */
typedef struct {
    uint64_t shape; /* of its calls, in so many bits: of others it is hardly ever the same */
    uint64_t used;  /* the higher, the later */
    size_t bytes;   /* of the plan */
    tti_plan *plan; /* NULL: none */
} tti_kept_plan;

typedef struct {
    tti_kept_plan *kept; /* [TTI_PLANS_MOST] set by set; NULL until the first is kept */
    int count;
    uint64_t uses;
    size_t bytes;   /* of all of them */
    tti_plan *last; /* the one that was used last; NULL: none */
} tti_plans;

void tti_plans_open(tti_plans *plans);
/* Takes over the caller's reference. If memory is out it is not kept. */
void tti_plans_keep(tti_plans *plans, tti_plan *plan);
/* With no reference for the caller; NULL: there is none for that call. */
tti_plan *tti_plans_find(tti_plans *plans, enum tti_collective collective, const tti_shape *shape);
/* That of the last call, if that was such a call; likewise. */
static inline tti_plan *tti_plans_last(const tti_plans *plans, enum tti_collective collective,
                                       const tti_shape *shape)
{
    if (plans->last == NULL || !tti_plan_fits(plans->last, collective, shape)) return NULL;
    return plans->last;
}
/* Runs at rest stay with the most recently used plans alone whose scratch memory is no more than that,
 * together. */
void tti_plans_trim(tti_plans *plans, size_t most);
/* Keeps none of them any more. */
void tti_plans_drop(tti_plans *plans);

#endif
