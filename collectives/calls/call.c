/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/call.h"

#include "collectives/calls/acquaint.h"
#include "collectives/calls/verify.h"
#include "collectives/execute/planning.h"
#include "collectives/execute/straight.h"
#include "runtime/base/hot.h"
#include "runtime/p2p/p2p_check.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

/* A rank that is never kept waiting looks for messages all the same, in one call of so many, or of fewer if
 * they are of so many bytes: others may wait for its answers. */
#define CALLS_BETWEEN 32
#define BYTES_OF_A_CALL 2048

/* Counted over all communicators, and of nothing else: a number that other things move as well may step over
 * the one that is looked for, in every round of a program's loop. */
TTI_HOT static void progress_sometimes(const tti_call *call)
{
    static size_t count;
    count += 1 + tti_shape_bytes(&call->shape) / BYTES_OF_A_CALL;
    if (count < CALLS_BETWEEN) return;
    count = 0;
    tti_progress();
}

TTI_HOT static int block(const tti_call *call)
{
    progress_sometimes(call);
    tti_plan *last = tti_plan_last(call->comm, call->collective, &call->shape);
    if (last != NULL && last->straight) return tti_call_straight(call, last);
    const int code = tti_acquaint(call);
    return code < 0 ? code : tti_call_by_plan(call, true);
}

int tti_call_block_part(int checked, const tti_call *call)
{
    if (checked < 0) return checked;
    const uint8_t outer = tti_run_within(call->comm, tti_call_function(call->name));
    const int code = block(call);
    tti_run_within(call->comm, outer);
    return code;
}

TTI_HOT int tti_call_block(int checked, const tti_call *call)
{
    if (checked < 0) return checked;
    int code = 0;
    tti_lock();
    if (__builtin_expect(tti_calls_are_compared(call->comm->size), 0)) code = tti_verify_call(call);
    if (code == 0) code = block(call);
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
    code = tti_comm_check_revoked(call->comm);
    if (code == 0) code = tti_call_open(call, kind, &run);
    if (code == 0 && tti_calls_are_compared(call->comm->size)) tti_run_compare_by(run, tti_verify_run);
    if (code == 0 && kind->start == NULL) {
        code = tti_straight_start(run);
        if (code < 0) tti_run_close(run);
    }
    if (code == 0) *request = tti_run_request(run);
    tti_unlock();
    return code;
}

int tti_call_start(tutti_request *request)
{
    return tti_straight_start((tti_run *)request);
}

void tti_call_release(tutti_request *request)
{
    tti_run_close((tti_run *)request);
}
