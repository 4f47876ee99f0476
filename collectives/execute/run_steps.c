/* SPDX-License-Identifier: BSD-3-Clause */
/* What the steps of a schedule do. */
#include "collectives/contract/contract.h"
#include "collectives/contract/op.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"

/* Tags: the number of the collective above, the step's tag in the low 16 bits. */
#define STEP_TAG_BITS 16

static void message_done(tti_p2p_op *op);

static bool is_expected(const tti_run *run, const tti_step *step, size_t bytes)
{
    const tti_need *need = tti_schedule_need(run->schedule, step);
    return bytes == step->bytes || (need != NULL && tti_need_allows(need, step->bytes, bytes));
}

static const char *source(const tti_run *run, const tti_step *step)
{
    return tti_step_reads_peer(step) ? tti_run_source(run, step) : tti_run_from(run, step);
}

/* How many bytes a SEND or COPY moves. */
static size_t moved(const tti_run *run, const tti_step *step)
{
    const tti_need *need = tti_schedule_need(run->schedule, step);
    if (need == NULL) return step->bytes;
    const char *numbers = source(run, step) - need->before;
    size_t used = 0;
    for (int i = 0; i < need->count; i++)
        used = tti_need_take(need, used, tti_step_told(numbers + (size_t)i * TTI_STEP_WORD));
    return tti_need_bytes(need, step->bytes, used);
}

static int disagree(const tti_run *run, const tti_step *step, size_t bytes)
{
    return tti_fail(TUTTI_ERR_ARG,
                    "tutti_%s: rank %d sent %zu bytes where rank %d expected %zu: they call with different "
                    "sizes, roots, types or rules; others may wait for ever: TUTTI_VERIFY=calls in the "
                    "environment tells all of them",
                    tti_collective_describe(run->plan->collective)->name, step->peer, bytes, run->comm->rank,
                    step->bytes);
}

static void fail_message(tti_run *run, const tti_step *step, int error)
{
    const int peer = tti_comm_job_rank(run->comm, step->peer);
    if ((error == TUTTI_ERR_STATE && tti_lost_has_departed(peer)) ||
        (error == TUTTI_ERR_PEER_FAILED && tti_lost_has_left(peer)))
        tti_run_fail_without(run, step->peer, error);
    else
        tti_run_fail_here(run, error);
}

/* Takes in the end of a message. One of another size than expected is an error here, but the run goes on, so
 * that nobody is left waiting. */
static void end_message(tti_run *run, tti_run_message *message)
{
    const tti_step *step = &run->schedule->steps[message->step];
    int error = message->op.error;
    message->under_way = false;
    if (step->kind == TTI_STEP_RECV && (error == 0 || error == TUTTI_ERR_TRUNCATE) &&
        !is_expected(run, step, message->op.bytes))
        error = disagree(run, step, message->op.bytes);
    if (error != 0 && run->error == 0) run->error = error;
    if (error == 0 || error == TUTTI_ERR_ARG)
        tti_run_complete_step(run, message->step);
    else
        fail_message(run, step, error);
}

static void start_message(tti_run *run, int index)
{
    const tti_step *step = &run->schedule->steps[index];
    const int tag = (int)(run->sequence << STEP_TAG_BITS | (uint32_t)step->tag);
    tti_run_message *message = &run->messages[run->started++];
    message->run = run;
    message->step = index;
    message->op.done = message_done;
    const int code = step->kind == TTI_STEP_SEND
                         ? tti_p2p_send(&message->op, run->comm, TTI_SPACE_COLLECTIVE, TTI_SEND_STANDARD,
                                        tti_run_from(run, step), moved(run, step), step->peer, tag)
                         : tti_p2p_recv(&message->op, run->comm, TTI_SPACE_COLLECTIVE, tti_run_to(run, step),
                                        step->bytes, step->peer, tag);
    if (code < 0) {
        message->under_way = false;
        fail_message(run, step, code);
    } else if (code == TTI_P2P_DONE) {
        end_message(run, message);
    } else {
        message->under_way = true;
        run->outstanding++;
    }
}

/* False: it goes on, by messages, or the run has failed. */
static bool work(tti_run *run, int index)
{
    const tti_step *step = &run->schedule->steps[index];
    if (tti_step_reaches(step)) return tti_run_reach(run, index);
    tti_run_apply(run, step, source(run, step), 0, moved(run, step));
    return true;
}

/* False: the peer means another size, and the run fails: how many pieces there are depends on it. */
static bool compare(tti_run *run, const tti_step *step)
{
    const uint64_t told = tti_step_told(source(run, step));
    if (told == step->to) return true;
    tti_run_fail_here(run, tti_fail(TUTTI_ERR_ARG,
                                    "tutti_%s: rank %d has a part of %llu bytes for rank %d, which expects "
                                    "%zu: they call with different sizes, types or rules; TUTTI_VERIFY=calls "
                                    "in the environment tells all of them",
                                    tti_collective_describe(run->plan->collective)->name, step->about,
                                    (unsigned long long)told, run->comm->rank, step->to));
    return false;
}

void tti_run_execute(tti_run *run, int index)
{
    const tti_step *step = &run->schedule->steps[index];
    switch ((enum tti_step_kind)step->kind) {
    case TTI_STEP_SEND:
    case TTI_STEP_RECV: start_message(run, index); return;
    case TTI_STEP_AWAIT: tti_run_await(run, index); return;
    case TTI_STEP_POST: tti_run_post(run, index); break;
    case TTI_STEP_TELL: tti_step_tell(step, tti_run_to(run, step)); break;
    case TTI_STEP_COMPARE:
        if (!compare(run, step)) return;
        break;
    case TTI_STEP_COPY:
    case TTI_STEP_REDUCE:
    case TTI_STEP_PUT:
        if (!work(run, index)) return;
    }
    tti_run_complete_step(run, index);
}

static void message_done(tti_p2p_op *op)
{
    tti_run_message *message = TTI_OWNER(op, tti_run_message, op);
    tti_run *run = message->run;
    run->outstanding--;
    end_message(run, message);
    tti_run_advance(run);
}

void tti_run_stop(tti_run *run)
{
    for (int i = 0; i < run->started; i++)
        if (run->messages[i].under_way) tti_p2p_abandon(&run->messages[i].op);
    tti_run_stop_asking(run);
    if (run->base.state == TTI_REQUEST_ACTIVE && tti_run_may_be_written(run)) tti_run_await_writers(run);
}
