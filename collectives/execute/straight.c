/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a schedule on shared memory, one after the other as they stand: that respects all that they
 * depend on, and as POST and AWAIT of a rank come one after the other anyway, nobody waits for what could
 * have been done before. So it takes neither lists nor memory, and no request; but for steps that reach
 * into others' buffers, or take SCRATCH, which are the larger ones: these are a run's, whose steps are made
 * here.
 *
 * This is for the case that all goes well. What has not come after a while, calls that differ, deaths and
 * drop-outs are the engine's: it takes over the operation where this way stops (tti_run_take_over()). */
#include "collectives/execute/straight.h"

#include "collectives/contract/op.h"
#include "collectives/execute/counted.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/atomics.h"
#include "runtime/base/clock.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/pause.h"
#include "runtime/p2p/progress.h"

/* Looks at a word before waiting in earnest, where each rank has a processor: some tens of microseconds; so
 * many of them without a pause in between, of tens of nanoseconds: what comes so soon should not wait for
 * one. */
#define LOOKS 1000
#define EAGER_LOOKS 200

/* Rough ns of waiting in earnest after which the engine takes over. */
#define PATIENCE_NS 50000000

typedef struct {
    tutti_comm *comm;
    tti_plan *plan;
    const tti_schedule *schedule; /* of the plan's two, the one whose steps are made; NULL: not known yet */
    tti_run *run;                 /* NULL: it needs none */
    const tti_run_data *data;
    const char *call;
    tti_windows *windows;
    tti_windows_use use;
    uint64_t mark;  /* without TTI_MARK_OWN, by which ranks differ */
    uint64_t shows; /* the mark that the others see */
    char *space[TTI_SPACES];
    tti_node_window *own;
    bool shown; /* the others see which call this is */
} course;

/* A wait for a word of the rank at that place. */
typedef struct {
    const course *c;
    const _Atomic uint64_t *word;
    uint64_t least;
    int place;
    int64_t since;
} goal;

TTI_HOT static bool is_over(const void *argument)
{
    const goal *g = argument;
    /* Sequentially consistent: it comes after the arming of the bell (runtime/node/bell.c). */
    return atomic_load(g->word) >= g->least || tti_clock_rough() - g->since > PATIENCE_NS ||
           g->c->comm->drop_out_code != 0 || tti_p2p_lost_member(g->c->comm) >= 0;
}

static void awaits(const void *argument, tti_awaited *awaited)
{
    const goal *g = argument;
    awaited->comm = g->c->comm;
    awaited->number = g->c->comm->sequence - 1;
    if (g->place == g->c->windows->size)
        tti_windows_absent(g->c->windows, &g->c->use, g->c->comm, awaited);
    else
        tti_awaited_add(awaited, tti_comm_world(g->c->comm, tti_windows_rank(g->c->windows, g->place)));
}

TTI_HOT static bool await_slowly(const course *c, const _Atomic uint64_t *word, uint64_t least, int place)
{
    const goal g = {c, word, least, place, tti_clock_rough()};
    tti_wait_for_memory(is_over, &g, c->call, awaits);
    return atomic_load(word) >= least;
}

/* Waits for a post; `own` loses what of TTI_MARK_OWN its rank does not show. False: it has not come, or is of
 * another call. */
TTI_HOT static bool await_one(const course *c, int place, int post, uint64_t *own)
{
    const tti_node_window *theirs = tti_windows_at(c->windows, place, &c->use);
    const uint64_t least = tti_windows_word(&c->use, post);
    bool come = atomic_load_explicit(&theirs->posted, memory_order_acquire) >= least;
    for (int i = tti_wait_is_crowded() ? LOOKS : 0; i < LOOKS && !come; i++) {
        if (i >= EAGER_LOOKS) tti_pause();
        come = atomic_load_explicit(&theirs->posted, memory_order_acquire) >= least;
    }
    if (!come && !await_slowly(c, &theirs->posted, least, place)) return false;
    *own &= theirs->mark;
    return (theirs->mark & ~TTI_MARK_OWN) == c->mark;
}

/* Before the first wait others must be able to see which call this is. */
TTI_HOT static void show(course *c)
{
    if (!c->shown) tti_windows_enter(c->windows, &c->use, c->shows, false);
    c->shown = true;
}

/* The neighbours first, so that not all look at the same rank at once. Who chooses by what they show ends
 * with the first that cannot be reached. */
TTI_HOT static bool await_all(const course *c, int post, uint64_t *own)
{
    const tti_windows *windows = c->windows;
    int place = windows->rank;
    for (int i = 1; i < windows->size; i++) {
        place = place + 1 == windows->size ? 0 : place + 1;
        if (!await_one(c, place, post, own)) return false;
        if (c->schedule == NULL && (*own & TTI_MARK_REACH) == 0) return true;
    }
    if ((*own & TTI_MARK_THROUGH) != 0) tti_windows_all_through(c->windows, &c->use);
    return true;
}

TTI_HOT static bool await(const course *c, int peer, int post, uint64_t *own)
{
    if (peer < 0) return await_all(c, post, own);
    return await_one(c, tti_windows_place(c->windows, peer), post, own);
}

TTI_HOT static void post(course *c, const tti_step *step)
{
    if (step->peer == c->comm->size) {
        show(c);
        tti_counted_come(&(tti_counted){c->windows, &c->use, c->schedule->last, c->data, c->mark}, step->tag);
        return;
    }
    const int peer = step->peer >= 0 ? tti_windows_place(c->windows, step->peer) : step->peer;
    c->own->mark = c->shows;
    c->shown = true;
    tti_windows_post(c->windows, &c->use, step->tag, peer);
    if (step->tag == 1) tti_windows_fetch_next(c->windows, &c->use, c->schedule->window);
}

/* The first line last, as the others look at it all the time: taken away between two stores, it must be
 * fetched back for the second. */
TTI_HOT static void copy(const course *c, const tti_step *step, char *to, const char *from)
{
    const size_t first = TTI_NODE_WINDOW_BESIDE;
    if (step->to_space != TTI_WINDOW || step->bytes <= first) {
        tti_copy_short(to, from, step->bytes);
        return;
    }
    const size_t head = step->to == 0 ? first : 0;
    tti_windows_fill(c->windows, to + head, from + head, step->bytes - head);
    atomic_signal_fence(memory_order_seq_cst);
    tti_copy_short(to, from, head);
}

/* What it reads or writes in another's buffers. False: not all of it could be done at once. */
static bool reach(const course *c, const tti_step *step)
{
    return tti_run_reach_now(c->run, (int)(step - c->schedule->steps));
}

TTI_HOT static const char *source(const course *c, const tti_step *step)
{
    if (step->peer < 0) return c->space[step->from_space] + step->from;
    const int place = tti_windows_place(c->windows, step->peer);
    return (const char *)tti_windows_at(c->windows, place, &c->use)->data + step->from;
}

TTI_HOT static char *target(const course *c, const tti_step *step)
{
    return c->space[step->to_space] + step->to;
}

/* False: it could not be made. */
TTI_HOT static bool make(course *c, const tti_step *step)
{
    const uint64_t told = step->from, expected = step->to;
    uint64_t own = c->shows;
    if (tti_step_reaches(step)) return reach(c, step);
    switch ((enum tti_step_kind)step->kind) {
    case TTI_STEP_COPY: copy(c, step, target(c, step), source(c, step)); return true;
    case TTI_STEP_REDUCE:
        tti_op_apply(c->data->op, source(c, step), target(c, step), step->bytes / c->schedule->element,
                     c->data->type);
        return true;
    case TTI_STEP_POST: post(c, step); return true;
    case TTI_STEP_AWAIT: show(c); return await(c, step->peer, step->tag, &own);
    case TTI_STEP_TELL: memcpy(target(c, step), &told, sizeof told); return true;
    case TTI_STEP_COMPARE: return memcmp(source(c, step), &expected, sizeof expected) == 0;
    case TTI_STEP_SEND:
    case TTI_STEP_RECV:
    case TTI_STEP_PUT: break;
    }
    return false;
}

/* Returns the step that could not be made, or how many there are. */
TTI_HOT static int follow(course *c)
{
    const tti_schedule *schedule = c->schedule;
    int i = 0;
    while (i < schedule->count && make(c, &schedule->steps[i]))
        i++;
    return i;
}

/* All ranks take the same of the plan's two schedules, by what those say that show something: run_window.c.
 * False: it is not known yet. */
static bool choose(course *c)
{
    uint64_t own = c->shows;
    const int who = c->plan->entered;
    if ((own & TTI_MARK_REACH) != 0 && who != TTI_OWN && !await(c, who, 0, &own)) return false;
    c->schedule = (own & TTI_MARK_REACH) != 0 ? c->plan->shown : c->plan->schedule;
    c->run->schedule = c->schedule;
    return true;
}

/* Shows the buffers in which others may read. */
static bool enter(course *c)
{
    tti_run_show(c->run);
    c->shows |= c->run->meeting.mark;
    tti_windows_enter(c->windows, &c->use, c->shows, true);
    c->shown = true;
    return c->plan->shown == NULL || choose(c);
}

/* Into its place, word by word: a copy of what has just been written elsewhere takes longer than the rest. */
TTI_HOT static inline void begin(course *c)
{
    c->windows = c->plan->windows;
    c->comm->sequence++;
    tti_windows_begin(c->windows, c->plan->window_kind, &c->use);
    c->mark = tti_run_mark(c->plan, c->data);
    c->shows = c->mark | (tti_windows_through(c->windows, &c->use) ? TTI_MARK_THROUGH : 0);
    if (c->windows->told != c->mark) tti_run_tell(c->plan, c->data, c->mark);
    c->own = tti_windows_at(c->windows, c->windows->rank, &c->use);
    c->shown = false;
    c->schedule = c->plan->shown == NULL ? c->plan->schedule : NULL;
    c->space[TTI_INPUT] = (char *)(uintptr_t)c->data->input;
    c->space[TTI_OUTPUT] = c->data->output;
    c->space[TTI_WINDOW] = (char *)c->own->data;
}

/* The operation is the run's as well: it is asked for what it shows, and may take over. */
static void begin_run(const course *c)
{
    tti_run *run = c->run;
    run->meeting.use = c->use;
    run->meeting.mark = c->mark;
    run->space[TTI_WINDOW] = c->space[TTI_WINDOW];
}

/* *made becomes the number of steps that have been made. False: they are not all. */
TTI_HOT static bool pass(course *c, int *made)
{
    *made = 0;
    if (!tti_windows_free_for(c->windows, &c->use)) return false;
    if (c->plan->reaches && !enter(c)) return false;
    *made = follow(c);
    return *made == c->schedule->count;
}

TTI_HOT static int go(course *c)
{
    int made;
    if (!pass(c, &made))
        return tti_run_take_over(c->comm, c->plan, c->data,
                                 &(tti_run_begun){c->run, c->use, c->shown, c->schedule, made}, c->call);
    show(c); /* also of a call without steps */
    tti_windows_finish(c->windows, &c->use);
    return 0;
}

/* With a run, which is under way meanwhile. */
static int go_with_run(course *c)
{
    begin_run(c);
    const int code = go(c);
    tti_list_remove(&c->run->active);
    tti_run_close(c->run);
    return code;
}

static bool needs_run(const tti_plan *plan)
{
    return plan->reaches || plan->schedule->scratch > 0;
}

TTI_HOT int tti_straight(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const char *call)
{
    int code = tti_run_may_start(comm);
    if (code < 0) return code;
    course c;
    c.comm = comm;
    c.plan = plan;
    c.data = data;
    c.call = call;
    c.run = NULL;
    if (needs_run(plan)) code = tti_run_begin(comm, plan, data, &c.run);
    if (code < 0) return code;
    begin(&c);
    if (c.run == NULL) return go(&c);
    c.space[TTI_SCRATCH] = c.run->space[TTI_SCRATCH];
    return go_with_run(&c);
}
