/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks show each other on shared memory: which call they make, and what can be reached of theirs. */
#include <string.h>

#include "collectives/contract/call_record.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/shown.h"
#include "runtime/base/status.h"
#include "runtime/node/view.h"

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

/* For people: what the program called. */
static tti_call_record record_of(const tti_windows *windows, const tti_plan *plan, const tti_run_data *data,
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
    const tti_call_record call = record_of(windows, plan, data, form);
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

int tti_run_explain_other(const tti_run *run, const tti_windows *windows, int place, uint64_t mark)
{
    char mine[TTI_CALL_TEXT], theirs[TTI_CALL_TEXT];
    const tti_call_record here = record_of(windows, run->plan, &run->data, tti_run_form(run)),
                          there = tti_run_told(windows, place, mark);
    tti_call_text(&here, mine);
    return tti_fail(TUTTI_ERR_ARG,
                    "%.*s: the ranks make different calls: rank %d is in %s, rank %d in %s; no "
                    "collective is possible any more on this communicator",
                    (int)strcspn(mine, " "), mine, run->comm->rank, mine, tti_windows_rank(windows, place),
                    tti_call_text(&there, theirs));
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
        tti_run_explain_other(run, windows, place, mark);
        return true;
    }
    return false;
}

/* Where two ranks run changes from one moment to the next on a virtual machine, and shared memory is the
 * shorter way where their processors are near each other: of 128 KiB to 1 MiB both ways in 0.6 of the time.
 * If one finds so, both take it. */
static bool copies_pay(const tti_run *run)
{
    const tti_plan *plan = run->plan;
    const tti_windows *windows = run->meeting.windows;
    if (!plan->weighs_copies) return plan->copies_pay;
    return tti_shape_bytes(&plan->shape) >=
           tti_node_single_least(windows->node, windows->peers[1 - windows->rank],
                                 tti_collective_describe(plan->collective)->crossing);
}

void tti_run_show(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const tti_plan *plan = run->plan;
    const tti_schedule *shows = tti_plan_reaching(plan);
    tti_shown_line *own = tti_shown_line_at(m->windows, m->windows->rank, &m->use);
    uint64_t ways = TTI_REACH_ALL;
    if (tti_schedule_shows(shows)) {
        ways = tti_shown_fill(own, shows, run->space) ? TTI_REACH_MAPPED : 0;
        if (copies_pay(run) && tti_shown_copies(m->windows)) ways |= TTI_REACH_COPIED;
    }
    m->mark |= ways << TTI_MARK_SIZE_BITS;
}
