/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on windows by the engine (collectives/execute/run*.c), which goes on where the straight way
 * stops (straight.c) or makes all steps itself; as nonblocking, persistent and blocking calls, of which
 * several are under way at once. In those where a rank may die, one more coroutine is the thread of a
 * survivor that hears of it: then each call brings its result or says which rank has died, and none waits for
 * ever. */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/run_state.h"
#include "collectives/execute/straight.h"
#include "runtime/node/bell.h"
#include "tests/explore/engine_runs.h"
#include "tests/explore/node_views.h"
#include "tests/explore/races.h"
#include "tests/explore/windows_runs.h"
#include "tests/unit/expect.h"

typedef struct {
    tutti_comm comms[ENGINE_MOST_COMMS];
    bool begun[ENGINE_MOST_CALLS];
    bool spoiled[ENGINE_MOST_CALLS];  /* the call has failed, and the program has its buffers back */
    tti_run *runs[ENGINE_MOST_CALLS]; /* requests that there are; else NULL */
} rank_state;

static const engine_plan *current;
static rank_state states[RUN_MOST_RANKS];
static course_part parts[RUN_MOST_RANKS][ENGINE_MOST_CALLS];
static _Atomic uint32_t through; /* bit r: rank r has come to the end of its program */

static int ranks(void)
{
    return (int)current->shape.ranks;
}

static int calls(void)
{
    return course_calls_count(current->calls, ENGINE_MOST_CALLS);
}

static int comms(void)
{
    return current->seconds > 0 ? 2 : 1;
}

static int comm_of(int index)
{
    return index >= calls() - current->seconds;
}

static void release(tutti_request *request);

static int start_again(tutti_request *request)
{
    return tti_straight_start((tti_run *)request);
}

static const tti_request_kind nonblocking = {.name = "explore", .release = release},
                              persistent = {.name = "explore", .start = start_again};

/* As of one who reads and writes there from now on: so all that others do there comes before it, or later. */
static void take_buffers(const course_part *part)
{
    const size_t half = sizeof part->input / 2; /* of what is longer not all is watched */
    for (size_t at = 0; at < sizeof part->input && part->plan.reaches; at += half) {
        races_note((const char *)part->input + at, half, true);
        races_note((const char *)part->output + at, half, true);
    }
}

static void fail(rank_state *mine, int index, int code)
{
    RUN_EXPECT(current->error != 0 ? code == current->error && comm_of(index) == 0
                                   : code == TUTTI_ERR_PEER_FAILED && run_dead() >= 0);
    course_part_spoil(&parts[run_rank()][index]);
    mine->spoiled[index] = true;
}

/* What it has brought, or why it has brought nothing. Nobody ends a barrier before each has begun it. */
static void end(rank_state *mine, int index, int code)
{
    const course_part *part = &parts[run_rank()][index];
    if (code != 0) {
        fail(mine, index, code);
        return;
    }
    for (int r = 0; r < ranks() && current->calls[index].collective == TTI_BARRIER; r++)
        RUN_EXPECT(states[r].begun[index]);
    course_part_expect(part);
    take_buffers(part);
}

static void open_call(rank_state *mine, int index, const tti_request_kind *kind)
{
    course_part *part = &parts[run_rank()][index];
    part->plan.references++;
    RUN_EXPECT(
        tti_run_open(&mine->comms[comm_of(index)], &part->plan, &part->data, kind, &mine->runs[index]) == 0);
}

static void begin(rank_state *mine, int index)
{
    course_part_begin(&parts[run_rank()][index]);
    take_buffers(&parts[run_rank()][index]);
    mine->begun[index] = true;
    mine->spoiled[index] = false;
}

/* A nonblocking request goes with its end. */
static void close_call(rank_state *mine, int index)
{
    tti_run *run = mine->runs[index];
    run->base.state = TTI_REQUEST_INACTIVE;
    if (run->base.persistent) return;
    tti_run_close(run);
    mine->runs[index] = NULL;
}

static void start(rank_state *mine, char how, int index)
{
    begin(mine, index);
    if (mine->runs[index] == NULL) open_call(mine, index, how == 'p' ? &persistent : &nonblocking);
    const int code = how == 'e' ? tti_run_start(mine->runs[index]) : tti_straight_start(mine->runs[index]);
    if (code == 0) return;
    end(mine, index, code);
    close_call(mine, index);
}

static bool is_over(const void *argument)
{
    return ((const tti_run *)argument)->base.state != TTI_REQUEST_ACTIVE;
}

/* One that could not be started is no more. */
static void await(rank_state *mine, int index)
{
    const tti_run *run = mine->runs[index];
    if (run == NULL || run->base.state == TTI_REQUEST_INACTIVE) return;
    tti_wait_for_ranks(is_over, run, "explore", tti_run_awaits);
    end(mine, index, run->base.status.error);
    if (run->base.status.error == TUTTI_ERR_PEER_FAILED) RUN_EXPECT(run->base.status.source == run_dead());
    close_call(mine, index);
}

/* What has been given up has ended. */
static void release(tutti_request *request)
{
    rank_state *mine = &states[run_rank()];
    int index = 0;
    while (&mine->runs[index]->base != request)
        index++;
    end(mine, index, request->status.error);
    close_call(mine, index);
}

static void give_up(tutti_request *request)
{
    request->orphan = true;
    tti_requests_active.held--;
    tti_requests_active.orphans++;
}

static void block(rank_state *mine, int index)
{
    course_part *part = &parts[run_rank()][index];
    begin(mine, index);
    end(mine, index, tti_straight(&mine->comms[comm_of(index)], &part->plan, &part->data, "explore"));
}

static void make(rank_state *mine, char what, int index)
{
    switch (what) {
    case 'w': await(mine, index); return;
    case 'b': block(mine, index); return;
    case 't': outside_round(); return;
    case 'd': tti_run_drop_out(&mine->comms[comm_of(index)], current->error); return;
    case 'f':
        if (is_over(mine->runs[index]))
            await(mine, index);
        else
            give_up(&mine->runs[index]->base);
        return;
    default: start(mine, what, index);
    }
}

static bool all_are_through(const void *argument)
{
    const uint32_t now = atomic_load(&through);
    bool all = tti_list_empty(&tti_runs);
    (void)argument;
    for (int r = 0; r < ranks(); r++)
        all = all && ((now & UINT32_C(1) << r) != 0 || (r == run_dead() && outside_is_told()));
    return all;
}

/* Others may ask what only this rank can answer, and what it has given up goes on: as tutti_finalize() does
 * it makes progress until nobody needs it. */
static void serve(int rank)
{
    atomic_fetch_or(&through, UINT32_C(1) << rank);
    for (int r = 0; r < ranks(); r++)
        if (r != rank) tti_node_poke(node_views[rank], r);
    tti_wait_for_ranks(all_are_through, NULL, "explore", NULL);
}

/* Nobody has written to buffers of calls that had failed. */
static void expect_spoiled(void)
{
    for (int r = 0; r < ranks(); r++)
        for (int i = 0; i < calls(); i++)
            RUN_EXPECT(!states[r].spoiled[i] || course_part_is_spoiled(&parts[r][i]));
}

void engine_body(int rank)
{
    if (rank == ranks()) {
        outside_tell();
        return;
    }
    const char *program = current->programs[rank] != NULL ? current->programs[rank] : current->programs[0];
    for (; *program != '\0'; program += program[2] == ' ' ? 3 : 2)
        make(&states[rank], program[0], program[1] - '0');
    if (current->serves) serve(rank);
    RUN_EXPECT(tti_list_empty(&tti_runs));
    expect_spoiled();
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* A run at rest for each plan, with all that it may need, so that no memory is taken in a run. */
static void rest(rank_state *state, course_part *part)
{
    tti_run *run;
    tti_plan *plan = &part->plan;
    const int steps = larger(plan->schedule->count, tti_plan_reaching(plan)->count);
    plan->references = 2; /* ours, and the run's */
    EXPECT(tti_run_open(state->comms, plan, &part->data, NULL, &run) == 0);
    run->schedule = plan->schedule;
    if (plan->reaches) run->asking.room = malloc(tti_run_piece(run));
    tti_run_close(run);
    EXPECT(plan->spare == run && plan->schedule->messages == 0);
    node_views_save(run, sizeof *run + 2 * (size_t)steps * sizeof(int));
    node_views_save(plan, sizeof *plan);
    node_views_save(part->input, sizeof part->input);
}

static void open_rank(int rank)
{
    tti_windows *windows[ENGINE_MOST_COMMS];
    for (int c = 0; c < comms(); c++) {
        windows[c] = windows_of_rank(rank, ranks(), c);
        states[rank].comms[c] =
            (tutti_comm){.context = (uint64_t)c, .rank = rank, .size = ranks(), .references = 1};
    }
    for (int i = 0; i < calls(); i++) {
        course_part_open(&parts[rank][i], &current->calls[i], i, windows[comm_of(i)]);
        rest(&states[rank], &parts[rank][i]);
    }
}

void engine_open(const scenario *s)
{
    current = s->plan;
    memset(states, 0, sizeof states);
    outside_way way = {.wait = current->wait,
                       .ranks = ranks(),
                       .refuses = current->refuses,
                       .maps = current->maps,
                       .impatient = current->impatient};
    for (int r = 0; r < ranks(); r++)
        way.comms[r] = states[r].comms;
    outside_open(&way);
    tti_run_watch();
    node_views_open(&current->shape, current->order);
    for (int r = 0; r < ranks(); r++)
        open_rank(r);
    node_views_save(states, sizeof states);
    races_watch(parts, sizeof parts, "buffers");
}

void engine_reset(void)
{
    for (int r = 0; r < ranks(); r++)
        for (int c = 0; c < comms(); c++)
            free(states[r].comms[c].drop_out_detail);
    node_views_reset();
    outside_reset();
    atomic_store(&through, 0);
}

void engine_close(void)
{
    engine_reset();
    node_views_close();
    for (int r = 0; r < ranks(); r++) {
        free(parts[r][0].plan.windows);
        if (current->seconds > 0) free(parts[r][calls() - 1].plan.windows);
        for (int i = 0; i < calls(); i++) {
            tti_run_free(parts[r][i].plan.spare);
            course_part_close(&parts[r][i]);
        }
    }
}
