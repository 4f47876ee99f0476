/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank shows the others of its own on shared memory. */
#include "collectives/contract/contract.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/shown.h"

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
