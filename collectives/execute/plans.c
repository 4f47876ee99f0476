/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/plans.h"

#define MOST_PLANS 48

void tti_plans_open(tti_plans *plans)
{
    *plans = (tti_plans){0};
    tti_list_init(&plans->list);
}

static void drop(tti_plans *plans, tti_plan *plan)
{
    tti_list_remove(&plan->link);
    plans->count--;
    tti_plan_release(plan);
}

void tti_plans_drop(tti_plans *plans)
{
    while (!tti_list_empty(&plans->list))
        drop(plans, TTI_OWNER(plans->list.next, tti_plan, link));
}

/* Before the first: it is the first then. */
static void put_first(tti_plans *plans, tti_plan *plan)
{
    tti_list_append(plans->list.next, &plan->link);
}

void tti_plans_keep(tti_plans *plans, tti_plan *plan)
{
    put_first(plans, plan);
    plans->count++;
    if (plans->count > MOST_PLANS) drop(plans, TTI_OWNER(plans->list.prev, tti_plan, link));
}

void tti_plans_trim(tti_plans *plans, size_t most)
{
    size_t all = 0;
    for (tti_link *at = plans->list.next; at != &plans->list; at = at->next) {
        tti_plan *plan = TTI_OWNER(at, tti_plan, link);
        if (plan->spare != NULL) all += tti_plan_scratch(plan);
        if (all > most) tti_plan_free_spare(plan);
    }
}

tti_plan *tti_plans_find(tti_plans *plans, enum tti_collective collective, const tti_shape *shape)
{
    for (tti_link *at = plans->list.next; at != &plans->list; at = at->next) {
        tti_plan *plan = TTI_OWNER(at, tti_plan, link);
        if (!tti_plan_fits(plan, collective, shape)) continue;
        if (at != plans->list.next) {
            tti_list_remove(at);
            put_first(plans, plan);
        }
        return plan;
    }
    return NULL;
}
