/* SPDX-License-Identifier: BSD-3-Clause */
/* Which plans are kept, and with which of them a run stays at rest: the most recently used ones. */
#include "collectives/execute/plans.h"

#include <stdlib.h>

#include "tests/unit/expect.h"

#define PLANS 100
#define KEPT 48
#define SCRATCH ((size_t)1000)

static int freed;

/* A run is a number here. */
static void free_run(struct tti_run *run)
{
    freed++;
    free(run);
}

static tti_plan *make(size_t count)
{
    tti_plan *plan = calloc(1, sizeof *plan);
    EXPECT(plan != NULL);
    plan->collective = TTI_BCAST;
    plan->shape.count = count;
    plan->references = 1;
    plan->schedule = calloc(1, sizeof *plan->schedule);
    plan->spare = malloc(1);
    EXPECT(plan->schedule != NULL && plan->spare != NULL);
    plan->schedule->scratch = SCRATCH;
    plan->free_spare = free_run;
    tti_list_init(&plan->link);
    return plan;
}

static tti_plan *find(tti_plans *plans, size_t count)
{
    const tti_shape shape = {.count = count};
    return tti_plans_find(plans, TTI_BCAST, &shape);
}

static void test_least_recent_go(tti_plans *plans)
{
    for (size_t i = 0; i < PLANS; i++) {
        tti_plans_keep(plans, make(i));
        EXPECT(find(plans, 0) != NULL); /* used all the time */
    }
    EXPECT(freed == PLANS - KEPT);
    EXPECT(find(plans, 1) == NULL && find(plans, PLANS - KEPT) == NULL);
    for (size_t i = PLANS - KEPT + 1; i < PLANS; i++)
        EXPECT(find(plans, i) != NULL);
}

/* Those of plans in between that have none at rest, as theirs are under way, do not count. */
static void test_trim(tti_plans *plans)
{
    tti_plan *under_way = find(plans, 0);
    struct tti_run *run = under_way->spare;
    under_way->spare = NULL;
    freed = 0;
    tti_plans_trim(plans, KEPT * SCRATCH);
    EXPECT(freed == 0);
    tti_plans_trim(plans, 3 * SCRATCH + SCRATCH / 2);
    EXPECT(freed == KEPT - 1 - 3);
    for (size_t i = PLANS - 3; i < PLANS; i++)
        EXPECT(find(plans, i)->spare != NULL);
    EXPECT(find(plans, PLANS - 4)->spare == NULL);
    under_way->spare = run;
    tti_plans_trim(plans, 0);
    EXPECT(freed == KEPT && under_way->spare == NULL);
}

int main(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    test_least_recent_go(&plans);
    test_trim(&plans);
    tti_plans_drop(&plans);
    EXPECT(plans.count == 0 && find(&plans, 0) == NULL);
    return 0;
}
