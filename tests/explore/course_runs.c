/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on windows made straight (collectives/execute/course.c, counted.c), by the schedules of the
 * algorithms themselves. A blocking call waits inside; a nonblocking one that has to wait is left to the
 * engine, whose part is played here: it looks, or arms, looks and sleeps, and makes the steps that are left
 * as soon as the first of them can be made. In those where a rank may die, one more coroutine is the thread
 * of a survivor that hears of it: it tells the rank, which gives up, and wakes it. */
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/course.h"
#include "runtime/node/node_windows.h"
#include "tests/explore/course_calls.h"
#include "tests/explore/course_runs.h"
#include "tests/explore/node_views.h"
#include "tests/explore/outside.h"
#include "tests/explore/windows_runs.h"
#include "tests/unit/expect.h"

#define MOST_UNDER_WAY 3

/* A call that has been begun and not ended. */
typedef struct {
    tti_course course;
    int index;
    tti_schedule rest; /* its steps that are left */
} flight;

typedef struct {
    tutti_comm comm;
    tti_windows *windows;
    int begun, count;
    flight flights[MOST_UNDER_WAY]; /* [count], the oldest first */
} rank_state;

static const course_plan *current;
static rank_state states[RUN_MOST_RANKS];
static course_part parts[RUN_MOST_RANKS][COURSE_MOST_CALLS];

static int ranks(void)
{
    return (int)current->shape.ranks;
}

static int calls(void)
{
    return course_calls_count(current->calls, COURSE_MOST_CALLS);
}

/* -- The engine's part -- */

static bool has_posted(const tti_course *c, int place, int post)
{
    bool entered;
    uint64_t mark;
    const bool posted = tti_windows_has_posted(c->windows, &c->use, place, post, &entered, &mark);
    RUN_EXPECT(entered || !posted);
    RUN_EXPECT(!entered || (mark & ~TTI_MARK_OWN) == c->mark);
    return posted;
}

static bool have_posted(const tti_course *c, const tti_step *step)
{
    bool posted = true;
    for (int place = 0; place < c->windows->size && posted && step->peer == TTI_ALL; place++)
        posted = place == c->windows->rank || has_posted(c, place, step->tag);
    return posted && (step->peer == TTI_ALL || has_posted(c, step->peer, step->tag));
}

static bool may_go_on(const flight *f)
{
    const tti_course *c = &f->course;
    if (!c->shown && !tti_windows_free_for(c->windows, &c->use)) return false;
    return f->rest.count == 0 || f->rest.steps[0].kind != TTI_STEP_AWAIT || have_posted(c, f->rest.steps);
}

static bool any_may_go_on(const void *argument)
{
    const rank_state *mine = argument;
    bool any = outside_is_told();
    for (int i = 0; i < mine->count && !any; i++)
        any = may_go_on(&mine->flights[i]);
    return any;
}

/* Nobody ends a barrier before each has begun it. */
static void end(flight *f)
{
    const bool barrier = current->calls[f->index].collective == TTI_BARRIER;
    for (int r = 0; r < ranks() && barrier; r++)
        RUN_EXPECT(states[r].begun > f->index);
    tti_course_end(&f->course);
    course_part_expect(&parts[run_rank()][f->index]);
}

/* Whether it has ended. */
static bool pass(flight *f)
{
    int made;
    const bool all = tti_course_pass(&f->course, &made);
    if (all) end(f);
    f->rest.steps += made;
    f->rest.count -= made;
    f->course.schedule = &f->rest;
    return all;
}

static void begin(rank_state *mine)
{
    const int rank = run_rank(), index = mine->begun++;
    course_part *part = &parts[rank][index];
    flight *f = &mine->flights[mine->count++];
    course_part_begin(part);
    *f = (flight){.index = index, .rest = *part->plan.schedule};
    f->course.comm = &mine->comm;
    f->course.plan = &part->plan;
    f->course.data = &part->data;
    f->course.call = current->under_way == 0 ? "explore" : NULL;
    tti_course_begin(&f->course);
    mine->count -= pass(f);
}

/* The youngest first, so that they end in another order. A course that is moved keeps its own steps. */
static void move(rank_state *mine)
{
    for (int i = mine->count; i-- > 0;) {
        if (!may_go_on(&mine->flights[i]) || !pass(&mine->flights[i])) continue;
        mine->count--;
        for (int j = i; j < mine->count; j++) {
            mine->flights[j] = mine->flights[j + 1];
            mine->flights[j].course.schedule = &mine->flights[j].rest;
        }
    }
}

static void make_calls(rank_state *mine)
{
    const int most = current->under_way == 0 ? 1 : current->under_way;
    while (mine->begun < calls() || mine->count > 0) {
        if (mine->begun < calls() && mine->count < most) {
            begin(mine);
            continue;
        }
        if (outside_is_told()) return;
        if (any_may_go_on(mine))
            move(mine);
        else
            outside_rest(any_may_go_on, mine);
    }
}

void course_body(int rank)
{
    if (rank == ranks())
        outside_tell();
    else
        make_calls(&states[rank]);
}

static void open_rank(int rank)
{
    tti_windows *windows = windows_of_rank(rank, ranks(), TTI_NODE_WINDOWS_OF_ALL);
    states[rank].windows = windows;
    states[rank].comm.rank = rank;
    states[rank].comm.size = ranks();
    for (int i = 0; i < calls(); i++)
        course_part_open(&parts[rank][i], &current->calls[i], i, windows);
}

void course_open(const scenario *s)
{
    current = s->plan;
    memset(states, 0, sizeof states);
    outside_open(&(outside_way){.wait = current->wait, .ranks = ranks()});
    node_views_open(&current->shape, current->order);
    for (int r = 0; r < ranks(); r++)
        open_rank(r);
    node_views_save(states, sizeof states);
}

void course_reset(void)
{
    node_views_reset();
    outside_reset();
}

void course_close(void)
{
    node_views_close();
    for (int r = 0; r < ranks(); r++) {
        for (int i = 0; i < calls(); i++)
            course_part_close(&parts[r][i]);
        free(states[r].windows);
    }
}
