/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/straight.h"

#include "collectives/execute/run_state.h"
#include "runtime/base/hot.h"

TTI_HOT static tti_run_begun begun(const tti_course *c, int made)
{
    return (tti_run_begun){c->run, c->use, c->shown, c->schedule, made};
}

TTI_HOT static int go(tti_course *c)
{
    int made;
    if (tti_course_pass(c, &made)) {
        tti_course_end(c);
        return 0;
    }
    const tti_run_begun so_far = begun(c, made);
    return tti_run_take_over(c->comm, c->plan, c->data, &so_far, c->call);
}

/* With a run, which is under way meanwhile. */
static int go_with_run(tti_course *c)
{
    const int code = go(c);
    tti_list_remove(&c->run->active);
    tti_run_close(c->run);
    return code;
}

static bool needs_run(const tti_plan *plan)
{
    return plan->reaches || plan->schedule->scratch > 0;
}

/* Into its place, word by word: a copy of what has just been written elsewhere takes longer than the rest. */
TTI_HOT int tti_straight(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const char *call)
{
    int code = tti_run_may_start(comm);
    if (code < 0) return code;
    tti_course c;
    c.comm = comm;
    c.plan = plan;
    c.run = NULL;
    c.data = data;
    c.call = call;
    if (needs_run(plan)) code = tti_run_begin(comm, plan, data, &c.run);
    if (code < 0) return code;
    tti_course_begin(&c);
    return c.run == NULL ? go(&c) : go_with_run(&c);
}

/* The request is complete where no step had to wait. */
TTI_HOT static int start(tti_run *run)
{
    const int code = tti_run_may_start(run->comm);
    if (code < 0) return code;
    tti_course c;
    int made;
    c.comm = run->comm;
    c.plan = run->plan;
    c.run = run;
    c.data = &run->data;
    c.call = NULL;
    tti_run_reset(run);
    tti_course_begin(&c);
    if (!tti_course_pass(&c, &made)) {
        const tti_run_begun so_far = begun(&c, made);
        return tti_run_go_on(run, &so_far);
    }
    tti_course_end(&c);
    tti_request_begin_complete(&run->base, 0);
    return 0;
}

TTI_HOT int tti_straight_start(tti_run *run)
{
    return run->compare == NULL && tti_course_fits(run->plan) ? start(run) : tti_run_start(run);
}
