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
#include "tests/explore/engine_runs.h"
#include "tests/explore/node_views.h"
#include "tests/explore/windows_runs.h"
#include "tests/unit/expect.h"

typedef struct {
    tutti_comm comm;
    bool begun[ENGINE_MOST_CALLS];
    tti_run *runs[ENGINE_MOST_CALLS]; /* requests that there are; else NULL */
} rank_state;

static const engine_plan *current;
static rank_state states[RUN_MOST_RANKS];
static course_part parts[RUN_MOST_RANKS][ENGINE_MOST_CALLS];

static int ranks(void)
{
    return (int)current->shape.ranks;
}

static int calls(void)
{
    int count = 0;
    while (count < ENGINE_MOST_CALLS && current->calls[count].algorithm != NULL)
        count++;
    return count;
}

static int start_again(tutti_request *request)
{
    return tti_straight_start((tti_run *)request);
}

static const tti_request_kind nonblocking = {.name = "explore"},
                              persistent = {.name = "explore", .start = start_again};

/* What it has brought, or why it has brought nothing. Nobody ends a barrier before each has begun it. */
static void expect_end(int index, int code)
{
    if (code != 0) {
        RUN_EXPECT(current->differ ? code == TUTTI_ERR_ARG
                                   : code == TUTTI_ERR_PEER_FAILED && run_dead() >= 0);
        return;
    }
    for (int r = 0; r < ranks() && current->calls[index].collective == TTI_BARRIER; r++)
        RUN_EXPECT(states[r].begun[index]);
    course_part_expect(&parts[run_rank()][index]);
}

static void open_call(rank_state *mine, int index, const tti_request_kind *kind)
{
    course_part *part = &parts[run_rank()][index];
    part->plan.references++;
    RUN_EXPECT(tti_run_open(&mine->comm, &part->plan, &part->data, kind, &mine->runs[index]) == 0);
}

static void begin(rank_state *mine, int index)
{
    course_part_begin(&parts[run_rank()][index]);
    mine->begun[index] = true;
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
    expect_end(index, code);
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
    expect_end(index, run->base.status.error);
    if (run->base.status.error == TUTTI_ERR_PEER_FAILED) RUN_EXPECT(run->base.status.source == run_dead());
    close_call(mine, index);
}

static void block(rank_state *mine, int index)
{
    course_part *part = &parts[run_rank()][index];
    begin(mine, index);
    expect_end(index, tti_straight(&mine->comm, &part->plan, &part->data, "explore"));
}

static void make(rank_state *mine, char what, int index)
{
    switch (what) {
    case 'w': await(mine, index); return;
    case 'b': block(mine, index); return;
    case 't': outside_round(); return;
    default: start(mine, what, index);
    }
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
    RUN_EXPECT(tti_list_empty(&tti_runs));
}

/* A run at rest for each plan, so that none is made in a run. */
static void rest(rank_state *state, tti_plan *plan, const tti_run_data *data)
{
    tti_run *run;
    plan->references = 2; /* ours, and the run's */
    EXPECT(tti_run_open(&state->comm, plan, data, NULL, &run) == 0);
    tti_run_close(run);
    EXPECT(plan->spare == run && plan->schedule->messages == 0);
    node_views_save(run, sizeof *run + 2 * (size_t)plan->schedule->count * sizeof(int));
    node_views_save(plan, sizeof *plan);
}

static void open_rank(int rank)
{
    tti_windows *windows = windows_of_rank(rank, ranks());
    states[rank].comm = (tutti_comm){.rank = rank, .size = ranks(), .references = 1};
    for (int i = 0; i < calls(); i++) {
        course_part_open(&parts[rank][i], &current->calls[i], i, windows);
        rest(&states[rank], &parts[rank][i].plan, &parts[rank][i].data);
    }
}

void engine_open(const scenario *s)
{
    current = s->plan;
    memset(states, 0, sizeof states);
    outside_way way = {.wait = current->wait, .ranks = ranks(), .impatient = current->impatient};
    for (int r = 0; r < ranks(); r++)
        way.comms[r] = &states[r].comm;
    outside_open(&way);
    tti_run_watch_failures();
    tti_run_watch_drop_outs();
    node_views_open(&current->shape, current->order);
    for (int r = 0; r < ranks(); r++)
        open_rank(r);
    node_views_save(states, sizeof states);
}

void engine_reset(void)
{
    for (int r = 0; r < ranks(); r++)
        free(states[r].comm.drop_out_detail);
    node_views_reset();
    outside_reset();
}

void engine_close(void)
{
    engine_reset();
    node_views_close();
    for (int r = 0; r < ranks(); r++) {
        free(parts[r][0].plan.windows);
        for (int i = 0; i < calls(); i++) {
            tti_run_free(parts[r][i].plan.spare);
            course_part_close(&parts[r][i]);
        }
    }
}
