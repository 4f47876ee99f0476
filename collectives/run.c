/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/run.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/op.h"
#include "collectives/run_failure.h"
#include "collectives/verify.h"
#include "runtime/base/status.h"
#include "runtime/p2p/progress.h"

/* Tags: the number of the collective above, the step's tag in the low 16 bits. Messages of collectives that
 * many numbers apart keep their order, as those between a pair always do. */
#define SEQUENCE_MASK 0x7fffU
#define STEP_TAG_BITS 16

/* A larger scratch memory does not stay with a run at rest. */
#define SPARE_SCRATCH ((size_t)32 << 20)

static void message_done(tti_p2p_op *op);

static char *at(const tti_run *run, int space, size_t offset)
{
    return run->space[space] + offset;
}

static void finish(tti_run *run)
{
    tutti_comm *comm = run->comm;
    tti_list_remove(&run->active);
    if (run->is_request) {
        /* Last use of the run: completing one that was given up frees it. */
        tti_request_complete(&run->base, run->error);
    } else {
        run->base.status.error = run->error;
        run->base.state = TTI_REQUEST_COMPLETE;
        if (run->over != NULL) run->over(run, run->error, run->over_context);
    }
    tti_comm_release(comm);
}

static void complete_step(tti_run *run, int step)
{
    const tti_schedule *schedule = run->plan->schedule;
    run->left--;
    for (int n = schedule->next_start[step]; n < schedule->next_start[step + 1]; n++) {
        const int next = schedule->next[n];
        if (--run->waits[next] == 0) run->ready[run->ready_end++] = next;
    }
}

static int disagree(const tti_run *run, const tti_step *step, size_t bytes)
{
    return tti_fail(TUTTI_ERR_ARG,
                    "tutti_%s: rank %d sent %zu bytes where rank %d expected %zu: they call with different "
                    "sizes, roots, types or rules",
                    tti_collective_describe(run->plan->collective)->name, step->peer, bytes, run->comm->rank,
                    step->bytes);
}

/* Of a death all others hear by themselves, of any other failure from this rank. */
static void fail_here(tti_run *run, int error)
{
    tti_run_fail(run, error);
    if (error != TUTTI_ERR_PEER_FAILED && error != TUTTI_ERR_CANCELLED) tti_run_drop_out(run->comm, error);
}

/* Takes in the end of a message. One of another size than expected is an error here, but the run goes on, so
 * that nobody is left waiting. */
static void end_message(tti_run *run, tti_run_message *message)
{
    const tti_step *step = &run->plan->schedule->steps[message->step];
    int error = message->op.error;
    message->under_way = false;
    if (step->kind == TTI_STEP_RECV && (error == 0 || error == TUTTI_ERR_TRUNCATE) &&
        message->op.bytes != step->bytes)
        error = disagree(run, step, message->op.bytes);
    if (error != 0 && run->error == 0) run->error = error;
    if (error == TUTTI_ERR_PEER_FAILED && run->base.status.source < 0) run->base.status.source = step->peer;
    if (error == 0 || error == TUTTI_ERR_ARG)
        complete_step(run, message->step);
    else
        fail_here(run, error);
}

static void start_message(tti_run *run, int index)
{
    const tti_step *step = &run->plan->schedule->steps[index];
    const int tag = (int)(run->sequence << STEP_TAG_BITS | step->tag);
    tti_run_message *message = &run->messages[run->started++];
    message->run = run;
    message->step = index;
    message->op.done = message_done;
    const int code = step->kind == TTI_STEP_SEND
                         ? tti_p2p_send(&message->op, run->comm, TTI_SPACE_COLLECTIVE, TTI_SEND_STANDARD,
                                        at(run, step->from_space, step->from), step->bytes, step->peer, tag)
                         : tti_p2p_recv(&message->op, run->comm, TTI_SPACE_COLLECTIVE,
                                        at(run, step->to_space, step->to), step->bytes, step->peer, tag);
    if (code < 0) {
        message->under_way = false;
        fail_here(run, code);
    } else if (code == TTI_P2P_DONE) {
        end_message(run, message);
    } else {
        message->under_way = true;
        run->outstanding++;
    }
}

static void execute(tti_run *run, int index)
{
    const tti_schedule *schedule = run->plan->schedule;
    const tti_step *step = &schedule->steps[index];
    if (step->kind == TTI_STEP_SEND || step->kind == TTI_STEP_RECV) {
        start_message(run, index);
        return;
    }
    const char *from = at(run, step->from_space, step->from);
    char *to = at(run, step->to_space, step->to);
    if (step->kind == TTI_STEP_COPY)
        memcpy(to, from, step->bytes);
    else
        tti_op_apply(run->data.op, from, to, step->bytes / schedule->element, run->data.type);
    complete_step(run, index);
}

/* Starts whatever may start; ends the run once nothing is left, or once it failed and nothing is under way.
 */
static void advance(tti_run *run)
{
    if (run->advancing) return;
    run->advancing = true;
    while (run->ready_begin < run->ready_end && !run->given_up)
        execute(run, run->ready[run->ready_begin++]);
    run->advancing = false;
    if (run->outstanding == 0 && (run->given_up || run->left == 0)) finish(run);
}

static void message_done(tti_p2p_op *op)
{
    tti_run_message *message = TTI_OWNER(op, tti_run_message, op);
    tti_run *run = message->run;
    run->outstanding--;
    end_message(run, message);
    advance(run);
}

static void reset(tti_run *run)
{
    const tti_schedule *schedule = run->plan->schedule;
    memcpy(run->waits, schedule->waits, (size_t)schedule->count * sizeof *run->waits);
    run->left = schedule->count;
    run->outstanding = run->started = run->error = 0;
    run->ready_begin = run->ready_end = 0;
    run->given_up = false;
    for (int i = 0; i < schedule->count; i++)
        if (schedule->waits[i] == 0) run->ready[run->ready_end++] = i;
}

/* The comparison counts as one message under way. It takes the first of two numbers, as before a blocking
 * call: ranks that differ in the form stay in step. False where the run is to end at once, with its error. */
static bool verify(tti_run *run)
{
    const tti_plan *plan = run->plan;
    const enum tti_call_form form = run->base.persistent ? TTI_FORM_PERSISTENT : TTI_FORM_NONBLOCKING;
    const tti_call_record mine =
        tti_call_record_of(plan->collective, &plan->shape, run->data.type, run->data.op, form);
    run->outstanding++;
    run->sequence = run->comm->sequence-- & SEQUENCE_MASK;
    const int code = tti_verify_run(run, &mine);
    run->comm->sequence++;
    if (code == 0) return true;
    run->outstanding--;
    fail_here(run, code);
    return false;
}

void tti_run_verified(tti_run *run, int code)
{
    run->outstanding--;
    if (code < 0) tti_run_fail(run, code);
    advance(run);
}

int tti_run_start(tti_run *run)
{
    tutti_comm *comm = run->comm;
    const uint32_t sequence = comm->sequence++ & SEQUENCE_MASK;
    int code = tti_p2p_check_alive(comm);
    if (code < 0) return tti_run_drop_out(comm, code); /* others may not have lost that rank */
    code = tti_run_check_whole(comm);
    if (code < 0) return code;
    reset(run);
    run->sequence = sequence;
    tti_comm_hold(comm);
    tti_run_list(run);
    run->base.status = TTI_STATUS_EMPTY;
    if (run->is_request)
        tti_request_begin(&run->base);
    else
        run->base.state = TTI_REQUEST_ACTIVE;
    if (!run->is_request || !tti_verify_wanted(comm) || !verify(run)) advance(run);
    return 0;
}

int tti_run_awaits(const void *argument, int *ranks, int most)
{
    const tti_run *run = argument;
    int count = 0;
    for (int i = 0; i < run->started; i++) {
        if (!run->messages[i].under_way) continue;
        if (count < most)
            ranks[count] = tti_comm_world(run->comm, run->plan->schedule->steps[run->messages[i].step].peer);
        count++;
    }
    return count;
}

static bool is_over(const void *argument)
{
    return ((const tti_run *)argument)->base.state != TTI_REQUEST_ACTIVE;
}

int tti_run_wait(tti_run *run, const char *call)
{
    if (!is_over(run)) tti_wait_for_ranks(is_over, run, call, tti_run_awaits);
    return tti_request_explain(call, &run->base.status);
}

/* One piece of memory: the run, its messages, its two arrays of steps. */
static tti_run *make(tti_plan *plan)
{
    const tti_schedule *schedule = plan->schedule;
    const size_t messages = (size_t)schedule->messages * sizeof(tti_run_message);
    const size_t steps = (size_t)schedule->count * sizeof(int);
    tti_run *run = malloc(sizeof *run + messages + 2 * steps);
    if (run == NULL) return NULL;
    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->waits = (int *)(void *)((char *)run->messages + messages);
    run->ready = run->waits + schedule->count;
    tti_list_init(&run->active);
    return run;
}

static bool give_scratch(tti_run *run)
{
    const size_t bytes = run->plan->schedule->scratch;
    if (bytes > 0 && run->scratch == NULL) run->scratch = aligned_alloc(64, bytes);
    return bytes == 0 || run->scratch != NULL;
}

int tti_run_open(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const tti_request_kind *kind,
                 tti_run **opened)
{
    tti_run *run = plan->spare != NULL ? plan->spare : make(plan);
    if (run == plan->spare) plan->spare = NULL;
    if (run == NULL || !give_scratch(run)) {
        const size_t scratch = plan->schedule->scratch;
        tti_run_free(run);
        tti_plan_release(plan);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a collective that needs %zu bytes of scratch",
                        scratch);
    }
    run->comm = comm;
    run->data = *data;
    run->is_request = kind != NULL;
    run->over = NULL;
    run->space[TTI_INPUT] = (char *)(uintptr_t)data->input;
    run->space[TTI_OUTPUT] = data->output;
    run->space[TTI_SCRATCH] = run->scratch;
    tti_op_hold(data->op);
    if (kind != NULL) {
        tti_request_open(&run->base, kind, kind->start != NULL);
        if (run->base.persistent) tti_comm_hold(comm);
    }
    *opened = run;
    return 0;
}

tutti_request *tti_run_request(tti_run *run)
{
    return &run->base;
}

tutti_comm *tti_run_comm(const tti_run *run)
{
    return run->comm;
}

void tti_run_then(tti_run *run, void (*over)(tti_run *run, int error, void *context), void *context)
{
    run->over = over;
    run->over_context = context;
}

void tti_run_close(tti_run *run)
{
    tti_plan *plan = run->plan;
    tutti_comm *held = run->is_request && run->base.persistent ? run->comm : NULL;
    tti_op_release(run->data.op);
    if (plan->spare == NULL && plan->schedule->scratch <= SPARE_SCRATCH)
        plan->spare = run;
    else
        tti_run_free(run);
    tti_plan_release(plan);
    if (held != NULL) tti_comm_release(held);
}

void tti_run_free(tti_run *run)
{
    if (run == NULL) return;
    free(run->scratch);
    free(run);
}
