/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/call.h"

#include "collectives/calls/verify.h"
#include "collectives/execute/straight.h"
#include "collectives/node/call_on_board.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/p2p_check.h"
#include "runtime/p2p/progress.h"

/* A rank that is never kept waiting looks for messages all the same, in one call of so many, or of fewer if
 * they are of so many bytes: others may wait for its answers. */
#define CALLS_BETWEEN 32
#define BYTES_OF_A_CALL 2048

TTI_HOT static int find_plan(const tti_call *call, tti_plan **plan)
{
    const int code = tti_plan_get(call->comm, call->collective, &call->shape, plan);
    return code == TUTTI_ERR_NO_MEMORY ? tti_run_drop_out(call->comm, code) : code;
}

/* Takes over the reference to the plan. */
static int open_run(const tti_call *call, tti_plan *plan, const tti_request_kind *kind, tti_run **run)
{
    const int code = tti_run_open(call->comm, plan, &call->data, kind, run);
    if (code == 0 && kind != NULL && tti_calls_are_compared(call->comm->size))
        tti_run_compare_by(*run, tti_verify_run);
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

TTI_HOT int tti_call_by_schedule(int checked, const tti_call *call)
{
    tti_plan *plan;
    int code = checked;
    if (code == 0) code = find_plan(call, &plan);
    if (code < 0) return code;
    if (!tti_straight_fits(plan)) return run_split_phase(call, plan);
    code = tti_straight(call->comm, plan, &call->data, call->name);
    tti_plan_release(plan);
    return code;
}

/* Counted over all communicators, and of nothing else: a number that other things move as well may step over
 * the one that is looked for, in every round of a program's loop. */
TTI_HOT static void let_in(const tti_call *call)
{
    static size_t count;
    count += 1 + tti_shape_bytes(&call->shape) / BYTES_OF_A_CALL;
    if (count < CALLS_BETWEEN) return;
    count = 0;
    tti_progress();
}

TTI_HOT int tti_call_block_locked(int checked, const tti_call *call)
{
    int result;
    if (checked < 0) return checked;
    let_in(call);
    if (__builtin_expect(tti_calls_are_compared(call->comm->size), 0)) {
        result = tti_verify_call(call);
        if (result < 0) return result;
    }
    return tti_call_on_board(call, &result) ? result : tti_call_by_schedule(0, call);
}

TTI_HOT int tti_call_block(int checked, const tti_call *call)
{
    if (checked < 0) return checked;
    tti_lock();
    const int code = tti_call_block_locked(checked, call);
    tti_unlock();
    return code;
}

int tti_call_request(int checked, const tti_call *call, const tti_request_kind *kind, tutti_request **request)
{
    tti_run *run;
    int code = checked;
    if (code == 0) code = tti_check_output(call->name, request);
    if (code < 0) return code;
    tti_lock();
    code = tti_call_open(call, kind, &run);
    if (code == 0 && kind->start == NULL) {
        code = tti_run_start(run);
        if (code < 0) tti_run_close(run);
    }
    if (code == 0) *request = tti_run_request(run);
    tti_unlock();
    return code;
}

int tti_call_start(tutti_request *request)
{
    return tti_run_start((tti_run *)request);
}

void tti_call_release(tutti_request *request)
{
    tti_run_close((tti_run *)request);
}
