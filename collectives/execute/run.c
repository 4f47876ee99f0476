/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/run_state.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/contract/op.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"

/* A larger scratch memory does not stay with a run at rest, nor do more with those of a communicator before
 * one that has none yet; little memory is not counted. */
#define SPARE_SCRATCH ((size_t)32 << 20)
#define COUNTED_SCRATCH ((size_t)1 << 20)

static void reset(tti_run *run)
{
    run->outstanding = run->started = run->error = 0;
    run->given_up = run->held = false;
    run->asking.step = -1;
}

void tti_run_reset(tti_run *run)
{
    reset(run);
    run->asking.done = 0;
    run->base.status = TTI_STATUS_EMPTY;
}

/* The comparison counts as one message under way. It takes the first numbers, as before a blocking call:
 * ranks that differ in the form stay in step. False where the run is to end at once, with its error. */
static bool start_comparing(tti_run *run)
{
    const tti_plan *plan = run->plan;
    const tti_call_record mine =
        tti_call_record_of(plan->collective, &plan->shape, run->data.type, run->data.op, tti_run_form(run));
    run->outstanding++;
    const uint32_t first = --run->comm->sequence;
    run->sequence = (first + TTI_RUN_COMPARE_NUMBERS) & TTI_RUN_SEQUENCE_MASK;
    const int code = run->compare(run, &mine, &plan->shape);
    run->comm->sequence = first + TTI_RUN_COMPARE_NUMBERS + 1;
    if (code == 0) return true;
    run->outstanding--;
    tti_run_fail_here(run, code);
    return false;
}

void tti_run_compared(tti_run *run, int code)
{
    run->outstanding--;
    if (code < 0) tti_run_fail(run, code);
    tti_run_advance(run);
}

TTI_HOT int tti_run_may_start(tutti_comm *comm)
{
    const int code = tti_lost_check_parts(comm);
    if (__builtin_expect(code < 0, 0))
        return tti_run_drop_out(comm, code); /* others may not have lost that rank */
    return tti_run_check_whole(comm);
}

static void enlist(tti_run *run)
{
    tti_comm_hold(run->comm);
    tti_run_list(run);
    if (run->is_request)
        tti_request_begin(&run->base);
    else
        run->base.state = TTI_REQUEST_ACTIVE;
}

/* Of a call by messages, too: others may be in one on windows. */
static void tell(tti_run *run)
{
    tti_windows *windows = tti_run_windows(run->comm);
    if (windows == NULL || run->meeting.windows != NULL) return;
    tti_run_tell(windows, run->plan, &run->data, tti_run_form(run), tti_run_mark(run->plan, &run->data),
                 tti_run_number(run));
}

/* A message of that collective may meet a receive of an older one only while its sender is still in that one,
 * too: it is the sender who finds out. */
static int check_tags(const tti_run *run, uint32_t number)
{
    tutti_comm *comm = run->comm;
    if (number - comm->tags_checked < comm->tags_differ) return 0;
    const uint32_t oldest = tti_run_oldest_age(run, number);
    comm->tags_checked = number;
    comm->tags_differ = oldest <= TTI_RUN_SEQUENCE_MASK ? TTI_RUN_SEQUENCE_MASK + 1 - oldest : 0;
    if (comm->tags_differ > 0) return 0;
    return tti_run_drop_out(
        comm, tti_fail(TUTTI_ERR_LIMIT,
                       "a collective that this rank started %u collectives ago on the communicator is not "
                       "complete: wait for it before starting more, or use another communicator",
                       (unsigned)oldest));
}

int tti_run_start(tti_run *run)
{
    const uint32_t number = run->comm->sequence++, sequence = number & TTI_RUN_SEQUENCE_MASK;
    int code = tti_run_may_start(run->comm);
    if (code == 0) code = check_tags(run, number);
    if (code < 0) return code;
    tti_run_reset(run);
    tti_run_take_schedule(run, run->plan->schedule, 0);
    run->sequence = sequence;
    tell(run);
    enlist(run);
    tti_run_meet(run, NULL);
    if (run->compare == NULL || !start_comparing(run)) tti_run_advance(run);
    return 0;
}

static int may_go_on(const tti_run *run)
{
    tutti_comm *comm = run->comm;
    int code = tti_lost_check_parts(comm);
    if (code == 0) code = tti_run_check_whole(comm);
    return code < 0 ? code : check_tags(run, comm->sequence - 1);
}

/* A step is made before all that stand behind it, so that those which have been made wait for no others. */
int tti_run_go_on(tti_run *run, const tti_run_begun *begun)
{
    const int code = may_go_on(run);
    run->sequence = (run->comm->sequence - 1) & TTI_RUN_SEQUENCE_MASK;
    if (code == TUTTI_ERR_ARG && tti_run_find_other_call(run)) tti_run_keep_detail(run->comm);
    if (code == TUTTI_ERR_PEER_FAILED) tti_run_tell_of_loss(run);
    if (code < 0 && !(begun->shown && tti_run_may_be_written(run))) {
        tti_run_withdraw(run);
        return code;
    }
    reset(run);
    tti_run_take_schedule(run, begun->schedule != NULL ? begun->schedule : run->plan->schedule, begun->steps);
    tti_list_remove(&run->active); /* where it has been under way */
    enlist(run);
    tti_run_meet(run, begun);
    if (code < 0) tti_run_fail(run, code);
    tti_run_advance(run);
    return 0;
}

/* The caller keeps its reference to the plan. */
static int open_for(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, tti_run **run)
{
    plan->references++;
    *run = NULL;
    const int code = tti_run_open(comm, plan, data, NULL, run);
    if (code < 0) return tti_run_drop_out(comm, code);
    tti_run_reset(*run);
    return 0;
}

int tti_run_take_over(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const tti_run_begun *begun,
                      const char *call)
{
    tti_run *run = begun->run;
    int code = run == NULL ? open_for(comm, plan, data, &run) : 0;
    if (code == 0) code = tti_run_go_on(run, begun);
    if (code == 0) code = tti_run_wait(run, call);
    if (begun->run == NULL && run != NULL) tti_run_close(run);
    return code;
}

int tti_run_begin(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, tti_run **run)
{
    const int code = open_for(comm, plan, data, run);
    if (code == 0) tti_run_list(*run);
    return code;
}

void tti_run_awaits(const void *argument, tti_awaited *awaited)
{
    const tti_run *run = argument;
    awaited->comm = run->comm;
    awaited->number = tti_run_number(run);
    for (int i = 0; i < run->started; i++) {
        if (!run->messages[i].under_way) continue;
        const int peer = run->schedule->steps[run->messages[i].step].peer;
        tti_awaited_add(awaited, tti_comm_job_rank(run->comm, peer));
    }
    if (run->asking.step >= 0)
        tti_awaited_add(awaited, tti_comm_job_rank(run->comm, run->schedule->steps[run->asking.step].peer));
    if (awaited->count == 0) tti_run_awaits_posts(run, awaited);
}

static bool is_over(const void *argument)
{
    return ((const tti_run *)argument)->base.state != TTI_REQUEST_ACTIVE;
}

int tti_run_wait(tti_run *run, const char *call)
{
    if (!is_over(run)) tti_wait_for_ranks(is_over, run, call, tti_run_awaits);
    const tutti_status *status = &run->base.status;
    if (status->error == 0) return 0;
    return tti_request_explain(call, status, tti_lost_cause(tti_run_blamed(run), status->error));
}

/* Of the plan's two schedules the larger one counts. */
static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t message_bytes(const tti_plan *plan)
{
    const tti_schedule *schedule = plan->schedule, *other = tti_plan_reaching(plan);
    return larger((size_t)schedule->messages, (size_t)other->messages) * sizeof(tti_run_message);
}

static size_t step_count(const tti_plan *plan)
{
    return larger((size_t)plan->schedule->count, (size_t)tti_plan_reaching(plan)->count);
}

/* One piece of memory: the run, its messages, its two arrays of steps. */
size_t tti_run_bytes(const tti_plan *plan)
{
    return sizeof(tti_run) + message_bytes(plan) + 2 * step_count(plan) * sizeof(int);
}

static tti_run *make(tti_plan *plan)
{
    tti_run *run = malloc(tti_run_bytes(plan));
    if (run == NULL) return NULL;
    memset(run, 0, sizeof *run);
    run->plan = plan;
    run->execute = tti_run_execute;
    run->stop = tti_run_stop;
    run->waits = (int *)(void *)((char *)run->messages + message_bytes(plan));
    run->ready = run->waits + step_count(plan);
    tti_list_init(&run->active);
    tti_list_init(&run->meeting.waiting);
    plan->free_spare = tti_run_free;
    return run;
}

static bool give_scratch(const tutti_comm *comm, tti_run *run)
{
    const size_t bytes = tti_plan_scratch(run->plan);
    tti_comm_cache *cache = comm->collectives;
    if (bytes == 0 || run->scratch != NULL) return true;
    if (bytes >= COUNTED_SCRATCH && cache != NULL) tti_plans_trim(&cache->plans, SPARE_SCRATCH);
    run->scratch = aligned_alloc(64, bytes);
    return run->scratch != NULL;
}

int tti_run_open(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const tti_request_kind *kind,
                 tti_run **opened)
{
    tti_run *run = plan->spare != NULL ? plan->spare : make(plan);
    if (run == plan->spare) plan->spare = NULL;
    if (run == NULL || !give_scratch(comm, run)) {
        const size_t scratch = tti_plan_scratch(plan);
        tti_run_free(run);
        tti_plan_release(plan);
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a collective that needs %zu bytes of scratch",
                        scratch);
    }
    run->comm = comm;
    run->data = *data;
    run->is_request = kind != NULL;
    run->over = NULL;
    run->compare = NULL;
    run->space[TTI_INPUT] = (char *)(uintptr_t)data->input;
    run->space[TTI_OUTPUT] = data->output;
    run->space[TTI_SCRATCH] = run->scratch;
    run->meeting.windows = plan->windows;
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

void tti_run_compare_by(tti_run *run, tti_run_compare_fn *compare)
{
    run->compare = compare;
}

void tti_run_close(tti_run *run)
{
    tti_plan *plan = run->plan;
    tutti_comm *held = run->is_request && run->base.persistent ? run->comm : NULL;
    tti_op_release(run->data.op);
    if (plan->spare == NULL && tti_plan_scratch(plan) <= SPARE_SCRATCH)
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
    free(run->asking.room);
    free(run);
}

void tti_run_watch(void)
{
    tti_run_watch_failures();
    tti_run_watch_drop_outs();
    tti_run_reach_register();
    tti_run_writers_register();
}
