/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/by_schedule.h"

#include "collectives/execute/planning.h"
#include "collectives/execute/straight.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

/* Who has no memory, or too many ranks beside it for so much data, may be alone in that. */
TTI_HOT static int find_plan(const tti_call *call, tti_plan **plan)
{
    const int code = tti_plan_get(call->comm, call->collective, &call->shape, plan);
    return code < 0 ? tti_run_drop_out(call->comm, code) : 0;
}

/* Takes over the reference to the plan. */
static int open_run(const tti_call *call, tti_plan *plan, const tti_request_kind *kind, tti_run **run)
{
    const int code = tti_run_open(call->comm, plan, &call->data, kind, run);
    return code == TUTTI_ERR_NO_MEMORY ? tti_run_drop_out(call->comm, code) : code;
}

int tti_call_open(const tti_call *call, const tti_request_kind *kind, tti_run **run)
{
    tti_plan *plan;
    const int code = find_plan(call, &plan);
    return code < 0 ? code : open_run(call, plan, kind, run);
}

static int run_split_phase(const tti_call *call, tti_plan *plan)
{
    tti_run *run;
    int code = open_run(call, plan, NULL, &run);
    if (code < 0) return code;
    code = tti_run_start(run);
    if (code == 0) code = tti_run_wait(run, call->name);
    tti_run_close(run);
    return code;
}

TTI_HOT int tti_call_straight(const tti_call *call, tti_plan *plan)
{
    plan->references++;
    const int code = tti_straight(call->comm, plan, &call->data, call->name);
    tti_plan_release(plan);
    return code;
}

TTI_HOT int tti_call_by_plan(const tti_call *call, bool always)
{
    tti_plan *plan;
    int code = find_plan(call, &plan);
    if (code < 0) return code;
    if (!tti_course_fits(plan)) return run_split_phase(call, plan);
    plan->straight |= always;
    code = tti_call_straight(call, plan);
    tti_plan_release(plan);
    return code;
}

int tti_call_by_schedule(int checked, const tti_call *call)
{
    return checked < 0 ? checked : tti_call_by_plan(call, false);
}
