/* SPDX-License-Identifier: BSD-3-Clause */
/* Which steps of a run may be done next, and its end. */
#include <string.h>

#include "collectives/execute/run_state.h"
#include "tutti/error.h"

void tti_run_take_schedule(tti_run *run, const tti_schedule *schedule, int made)
{
    run->schedule = schedule;
    memcpy(run->waits, schedule->waits, (size_t)schedule->count * sizeof *run->waits);
    run->steps_left = schedule->count;
    run->ready_begin = run->ready_end = 0;
    run->steps_left -= made;
    for (int n = 0; n < schedule->next_start[made]; n++)
        run->waits[schedule->next[n]]--;
    for (int i = made; i < schedule->count; i++)
        if (run->waits[i] == 0) run->ready[run->ready_end++] = i;
}

void tti_run_complete_step(tti_run *run, int step)
{
    const tti_schedule *schedule = run->schedule;
    run->steps_left--;
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        const int next = schedule->next[n];
        if (--run->waits[next] == 0) run->ready[run->ready_end++] = next;
    }
}

/* Where steps have been given up others may still read what is there. One that has made all, and got an error
 * on the way (a message of another size), is through like any other: else windows would run out. */
static void leave_windows(tti_run *run)
{
    if (run->meeting.windows != NULL && !run->given_up)
        tti_windows_finish(run->meeting.windows, &run->meeting.use);
}

static void finish(tti_run *run)
{
    tutti_comm *comm = run->comm;
    tti_list_remove(&run->active);
    leave_windows(run);
    if (run->error == TUTTI_ERR_PEER_FAILED) tti_run_blame(run, -1); /* more may be known by now */
    if (run->is_request) {
        if (run->error < 0) tti_request_keep_detail(&run->base, run->error, tti_run_blamed(run));
        /* Last use of the run: completing one that was given up frees it. */
        tti_request_complete(&run->base, run->error);
    } else {
        run->base.status.error = run->error;
        run->base.state = TTI_REQUEST_COMPLETE;
        if (run->over != NULL) run->over(run, run->error, run->over_context);
    }
    tti_comm_release(comm);
}

void tti_run_advance(tti_run *run)
{
    if (run->advancing) return;
    run->advancing = true;
    while (!run->held && run->ready_begin < run->ready_end && !run->given_up)
        run->execute(run, run->ready[run->ready_begin++]);
    run->advancing = false;
    if (run->outstanding == 0 && (run->given_up || run->steps_left == 0)) finish(run);
}
