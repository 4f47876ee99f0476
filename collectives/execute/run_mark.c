/* SPDX-License-Identifier: BSD-3-Clause */
/* Which call ranks make, as they show each other on shared memory. */
#include "collectives/contract/call_record.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/status.h"

/* What a rank shows of the call that it makes: collective, size, and 16 bits for the rest, in which ranks
 * must agree; and TTI_MARK_OWN, in which they may differ. */
#define MARK_SIGNATURE_BITS 40
#define MARK_COLLECTIVE_BITS 56
_Static_assert(TTI_COLLECTIVES < 255, "a mark has eight bits for the collective");

static uint64_t mark_of(const tti_call_record *call)
{
    return (uint64_t)(call->collective + 1U) << MARK_COLLECTIVE_BITS |
           (uint64_t)tti_call_signature(call) << MARK_SIGNATURE_BITS |
           (call->bytes & ((UINT64_C(1) << TTI_MARK_SIZE_BITS) - 1));
}
static size_t size_of(uint64_t mark)
{
    return (size_t)(mark & ((UINT64_C(1) << TTI_MARK_SIZE_BITS) - 1));
}

/* Of all forms: they meet each other. */
static tti_call_record record_of(const tti_plan *plan, const tti_run_data *data)
{
    return tti_call_record_of(plan->collective, &plan->shape, data->type, data->op, TTI_FORM_BLOCKING);
}

#define ROOT_SHIFT 32

uint64_t tti_run_make_mark(tti_plan *plan, const tti_run_data *data)
{
    const tti_call_record call = record_of(plan, data);
    plan->marked_type = data->type;
    plan->marked_op = data->op;
    plan->mark = mark_of(&call);
    return plan->mark;
}

void tti_run_tell_call(tti_windows *windows, const tti_plan *plan, const tti_run_data *data, uint64_t mark)
{
    const tti_call_record call = record_of(plan, data);
    tti_windows_tell(windows,
                     &(tti_windows_call){mark, call.type, (uint64_t)call.root << ROOT_SHIFT | call.op});
}

tti_call_record tti_run_told(const tti_windows *windows, int place, uint64_t mark)
{
    tti_windows_call told;
    mark &= ~TTI_MARK_OWN;
    const bool all = tti_windows_told(windows, place, mark, &told);
    return (tti_call_record){.bytes = size_of(mark),
                             .type = all ? told.type : 0,
                             .root = all ? (uint32_t)(told.rest >> ROOT_SHIFT) : 0,
                             .op = all ? (uint8_t)told.rest : 0,
                             .collective = (uint8_t)((mark >> MARK_COLLECTIVE_BITS) - 1)};
}

static int explain(const tti_run *run, const tti_windows *windows, int place, uint64_t mark)
{
    char mine[TTI_CALL_TEXT], theirs[TTI_CALL_TEXT];
    const tti_call_record here = record_of(run->plan, &run->data), there = tti_run_told(windows, place, mark);
    return tti_fail(TUTTI_ERR_ARG,
                    "tutti_%s: the ranks make different calls: rank %d is in %s, rank %d in %s; no "
                    "collective is possible any more on this communicator",
                    tti_collective_describe(run->plan->collective)->name, run->comm->rank,
                    tti_call_text(&here, mine), tti_windows_rank(windows, place),
                    tti_call_text(&there, theirs));
}

void tti_run_refuse(tti_run *run, int place, uint64_t mark)
{
    tti_run_fail_here(run, explain(run, run->meeting.windows, place, mark));
}

bool tti_run_find_other_call(const tti_run *run)
{
    const tti_windows *windows = tti_run_windows(run->comm);
    const uint64_t mine = tti_run_mark(run->plan, &run->data);
    uint64_t mark;
    for (int place = 0; windows != NULL && place < windows->size; place++) {
        if (place == windows->rank || !tti_windows_in_call(windows, place, tti_run_number(run), &mark))
            continue;
        if (((mark ^ mine) & ~TTI_MARK_OWN) == 0) continue;
        explain(run, windows, place, mark);
        return true;
    }
    return false;
}
