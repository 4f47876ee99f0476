/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/run_mark.h"

#include "collectives/execute/comm_cache.h"

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

/* Of a call that is told: its root, and below that three numbers of eight bits. */
#define ROOT_SHIFT 32
#define FUNCTION_SHIFT 16
#define FORM_SHIFT 8

static uint64_t rest_of(const tti_call_record *call)
{
    return (uint64_t)call->root << ROOT_SHIFT | (uint64_t)call->function << FUNCTION_SHIFT |
           (uint64_t)call->form << FORM_SHIFT | call->op;
}

tti_call_record tti_run_record(const tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
                               enum tti_call_form form)
{
    tti_call_record call = tti_call_record_of(plan->collective, &plan->shape, data->type, data->op, form);
    if (form == TTI_FORM_BLOCKING) call.function = windows->within;
    return call;
}

uint8_t tti_run_within(tutti_comm *comm, uint8_t function)
{
    tti_windows *windows;
    if (tti_windows_get(comm, &windows) < 0 || windows == NULL) return 0;
    const uint8_t before = windows->within;
    windows->within = function;
    windows->told = 0;
    return before;
}

/* The same in all forms: they meet each other. */
uint64_t tti_run_make_mark(tti_plan *plan, const tti_run_data *data)
{
    const tti_call_record call =
        tti_call_record_of(plan->collective, &plan->shape, data->type, data->op, TTI_FORM_BLOCKING);
    plan->marked_type = data->type;
    plan->marked_op = data->op;
    plan->mark = mark_of(&call);
    return plan->mark;
}

void tti_run_tell_call(tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
                       enum tti_call_form form, uint64_t mark)
{
    const tti_call_record call = tti_run_record(windows, plan, data, form);
    tti_windows_tell(windows, &(tti_windows_call){mark, call.type, rest_of(&call)});
    windows->told_form = (uint8_t)form;
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
                             .form = all ? (uint8_t)(told.rest >> FORM_SHIFT) : 0,
                             .function = all ? (uint8_t)(told.rest >> FUNCTION_SHIFT) : 0,
                             .collective = (uint8_t)((mark >> MARK_COLLECTIVE_BITS) - 1)};
}
