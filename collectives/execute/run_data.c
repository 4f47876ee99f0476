/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that steps take, and where they go. */
#include "collectives/contract/op.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"

/* As much is asked for, or copied before it is combined, at a time: the other rank keeps a copy of what has
 * no room in the mailbox. */
#define PIECE ((size_t)128 << 10)

size_t tti_run_piece(const tti_run *run)
{
    const size_t element = run->schedule->element, whole = PIECE / element * element;
    return whole > 0 ? whole : element;
}

TTI_HOT const char *tti_run_source(const tti_run *run, const tti_step *step)
{
    const tti_run_meeting *m = &run->meeting;
    const int place = tti_windows_place(m->windows, step->peer);
    return tti_windows_read(m->windows, place, &m->use, step->from);
}

int tti_run_reached(const tti_run *run, const tti_step *step, uint64_t *at)
{
    size_t named;
    const int as = tti_step_reached(step, &named);
    *at = named;
    if (tti_step_is_told(step)) *at = tti_step_told(tti_run_to(run, step));
    return as;
}

void tti_run_apply(const tti_run *run, const tti_step *step, const char *from, size_t done, size_t bytes)
{
    char *to = tti_run_to(run, step) + done;
    if (step->kind == TTI_STEP_COPY && step->to_space == TTI_WINDOW)
        tti_windows_fill(run->meeting.windows, to, from, bytes);
    else if (step->kind == TTI_STEP_COPY && step->to_space == TTI_OUTPUT)
        tti_plan_copy_out(run->plan, to, from, bytes);
    else if (step->kind == TTI_STEP_COPY)
        tti_copy_long(to, from, bytes);
    else
        tti_op_apply(run->data.op, from, to, bytes / run->schedule->element, run->data.type);
}
