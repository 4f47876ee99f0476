/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes in other ranks' buffers (shown.h), where these are mapped, or by the kernel's copy. What
 * can be reached in neither way is asked for by messages (run_reach_messages.c). */
#include <stdlib.h>

#include "collectives/execute/run_state.h"
#include "collectives/execute/shown.h"
#include "runtime/base/copy.h"
#include "runtime/base/status.h"
#include "runtime/node/single_copy.h"
#include "runtime/peers/lost.h"

/* Room for what is combined once it is here; NULL if memory is out. */
static char *room_of(tti_run *run)
{
    if (run->asking.room == NULL) run->asking.room = malloc(tti_run_piece(run));
    if (run->asking.room == NULL)
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for %zu bytes of another rank's contribution",
                 tti_run_piece(run));
    return run->asking.room;
}

static int copy_out(tti_run *run, const tti_step *step, int peer, uint64_t address)
{
    const size_t done = run->asking.done;
    const int code = tti_node_write(run->meeting.windows->node, peer, address + done,
                                    tti_run_from(run, step) + done, step->bytes - done);
    if (code == 0) run->asking.done = step->bytes;
    return code;
}

/* What is left of the step, by the kernel's copy; `asking.done` has come, or gone. */
static int copy(tti_run *run, const tti_step *step, int peer, uint64_t address)
{
    int code = 0;
    if (step->kind == TTI_STEP_PUT) return copy_out(run, step, peer, address);
    while (code == 0 && run->asking.done < step->bytes) {
        const bool aside = step->kind == TTI_STEP_REDUCE;
        const size_t done = run->asking.done, left = step->bytes - done,
                     bytes = aside && left > tti_run_piece(run) ? tti_run_piece(run) : left;
        char *to = aside ? room_of(run) : tti_run_to(run, step) + done;
        if (to == NULL) return TUTTI_ERR_NO_MEMORY;
        code = tti_node_read(run->meeting.windows->node, peer, address + done, to, bytes);
        if (code == 0 && aside) tti_run_apply(run, step, to, done, bytes);
        if (code == 0) run->asking.done += bytes;
    }
    return code;
}

/* That rank has given up the operation: what was read may be its program's next data, and nothing may be
 * written there. It does not ask a rank to stop that it holds for dead, which may live all the same. */
#define WITHDRAWN 1

/* Where it is mapped, or by the kernel's copy; of a step that fails a part may be done. */
static int reach(tti_run *run, const tti_step *step)
{
    tti_windows *windows = run->meeting.windows;
    const int place = tti_windows_place(windows, step->peer);
    uint64_t at;
    const int as = tti_run_reached(run, step, &at);
    const tti_shown_buffer *buffer = &tti_shown_line_at(windows, place, &run->meeting.use)->of[as];
    if (step->kind == TTI_STEP_PUT && tti_windows_withdrawn(windows, place)) return WITHDRAWN;
    char *mapped = tti_shown_map(windows, place, as, buffer);
    int code = 0;
    if (mapped == NULL || run->asking.done > 0)
        code = copy(run, step, windows->peers[place], buffer->address + at);
    else if (step->kind == TTI_STEP_PUT)
        tti_copy_long(mapped + at, tti_run_from(run, step), step->bytes);
    else
        tti_run_apply(run, step, mapped + at, 0, step->bytes);
    if (tti_windows_withdrawn(windows, place)) return WITHDRAWN;
    if (code == 0) run->asking.done = 0;
    return code;
}

/* Of a run that has failed meanwhile nobody is written to any more: the other rank may have been told so. */
bool tti_run_reach_now(tti_run *run, int index)
{
    return !run->given_up && reach(run, tti_run_step(run, index)) == 0;
}

bool tti_run_reach(tti_run *run, int index)
{
    const tti_step *step = tti_run_step(run, index);
    int code = reach(run, step);
    if (code == 0) return true;
    if (code == WITHDRAWN) {
        tti_run_await_news(run);
        return false;
    }
    run->asking.step = index;
    if (code == TUTTI_ERR_UNSUPPORTED)
        code = step->kind != TTI_STEP_REDUCE || room_of(run) != NULL ? tti_run_ask(run) : TUTTI_ERR_NO_MEMORY;
    run->held = true;
    run->outstanding++;
    if (code == TUTTI_ERR_PEER_FAILED) tti_lost_hold_for_dead(tti_comm_job_rank(run->comm, step->peer));
    if (code < 0) tti_run_fail_here(run, code);
    return false;
}
