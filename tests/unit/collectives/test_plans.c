/* SPDX-License-Identifier: BSD-3-Clause */
/* Which plans are kept, and with which of them a run stays at rest: the most recently used ones. */
#include "collectives/execute/plans.h"

#include <stdlib.h>

#include "tests/unit/expect.h"

#define PLANS 200
#define RECURRING 64
#define TRIMMED 40
#define LONG (1 << 15) /* steps, of megabytes */
#define LONG_KEPT 16
#define FEW 10                      /* fewer than are kept where plans are large */
#define HUGE_RUN ((size_t)20 << 20) /* three of them are kept */
#define LARGEST_RUN ((size_t)1 << 30)
#define SCRATCH ((size_t)1000)

static int freed;

/* A run is a number here. */
static void free_run(struct tti_run *run)
{
    freed++;
    free(run);
}

static tti_plan *make(size_t count, int steps)
{
    tti_plan *plan = calloc(1, sizeof *plan);
    EXPECT(plan != NULL);
    plan->collective = TTI_BCAST;
    plan->shape.count = count;
    plan->references = 1;
    plan->schedule = tti_schedule_make(steps, 0);
    plan->spare = malloc(1);
    EXPECT(plan->schedule != NULL && plan->spare != NULL);
    plan->schedule->scratch = SCRATCH;
    plan->free_spare = free_run;
    return plan;
}

static tti_plan *find(tti_plans *plans, size_t count)
{
    const tti_shape shape = {.count = count};
    return tti_plans_find(plans, TTI_BCAST, &shape);
}

/* Of those that come once a few are kept, the newest of them; and one that is used all the time. */
static void test_least_recent_go(tti_plans *plans)
{
    for (size_t i = 0; i < PLANS; i++) {
        tti_plans_keep(plans, make(i, 0));
        EXPECT(find(plans, 0) != NULL);
        EXPECT(find(plans, i) == plans->last);
    }
    EXPECT(plans->count > TTI_PLANS_MOST / 2 && plans->count <= TTI_PLANS_MOST);
    EXPECT(freed == PLANS - plans->count);
    for (size_t i = PLANS - TTI_PLANS_OF_SET; i < PLANS; i++)
        EXPECT(find(plans, i) != NULL);
}

/* So many that come again and again all stay. */
static void test_recurring_stay(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    for (size_t i = 0; i < RECURRING; i++)
        tti_plans_keep(&plans, make(i, 0));
    for (size_t i = 0; i < RECURRING; i++)
        EXPECT(find(&plans, i) != NULL);
    tti_plans_drop(&plans);
}

/* Those of plans in between that have none at rest, as theirs are under way, do not count. */
static void test_trim(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    for (size_t i = 0; i < TRIMMED; i++)
        tti_plans_keep(&plans, make(i, 0));
    tti_plan *under_way = find(&plans, 0);
    struct tti_run *run = under_way->spare;
    under_way->spare = NULL;
    freed = 0;
    tti_plans_trim(&plans, TRIMMED * SCRATCH);
    EXPECT(freed == 0);
    tti_plans_trim(&plans, 3 * SCRATCH + SCRATCH / 2);
    EXPECT(freed == TRIMMED - 1 - 3);
    for (size_t i = TRIMMED - 3; i < TRIMMED; i++)
        EXPECT(find(&plans, i)->spare != NULL);
    EXPECT(find(&plans, TRIMMED - 4)->spare == NULL);
    under_way->spare = run;
    tti_plans_trim(&plans, 0);
    EXPECT(freed == TRIMMED && under_way->spare == NULL);
    tti_plans_drop(&plans);
}

/* Of large ones a few, the newest of them. */
static void test_bytes(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    for (size_t i = 0; i < 2 * LONG_KEPT; i++)
        tti_plans_keep(&plans, make(i, LONG));
    EXPECT(plans.count == LONG_KEPT && find(&plans, LONG_KEPT - 1) == NULL);
    EXPECT(find(&plans, LONG_KEPT) != NULL && find(&plans, 2 * LONG_KEPT - 1) == plans.last);
    tti_plans_drop(&plans);
}

static tti_plan *make_with_run(size_t count, size_t bytes)
{
    tti_plan *plan = make(count, 0);
    plan->run_bytes = bytes;
    return plan;
}

/* Of very large ones fewer, whose runs at rest count, but always the newest. One that is still used lives on.
 */
static void test_bytes_of_few(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    tti_plan *used = make_with_run(0, HUGE_RUN);
    used->references++;
    tti_plans_keep(&plans, used);
    for (size_t i = 1; i < FEW; i++)
        tti_plans_keep(&plans, make_with_run(i, HUGE_RUN));
    EXPECT(plans.count == 3 && find(&plans, FEW - 4) == NULL && find(&plans, FEW - 3) != NULL);
    EXPECT(find(&plans, 0) == NULL && used->references == 1 && used->shape.count == 0);
    tti_plans_keep(&plans, make_with_run(FEW, LARGEST_RUN));
    EXPECT(plans.count == 1 && find(&plans, FEW) == plans.last);
    tti_plans_keep(&plans, make_with_run(FEW + 1, 0));
    EXPECT(plans.count == 1 && find(&plans, FEW + 1) == plans.last && plans.bytes < HUGE_RUN);
    tti_plans_drop(&plans);
    tti_plan_release(used);
}

int main(void)
{
    tti_plans plans;
    tti_plans_open(&plans);
    test_least_recent_go(&plans);
    tti_plans_drop(&plans);
    EXPECT(plans.count == 0 && plans.last == NULL && find(&plans, 0) == NULL);
    test_recurring_stay();
    test_trim();
    test_bytes();
    test_bytes_of_few();
    return 0;
}
