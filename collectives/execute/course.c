/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/course.h"

#include "collectives/contract/op.h"
#include "collectives/execute/counted.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/atomics.h"
#include "runtime/base/clock.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/pause.h"
#include "runtime/node/node_windows.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"

/* Looks at a word before waiting in earnest, where each rank has a processor: some tens of microseconds; so
 * many of them without a pause in between, of tens of nanoseconds: what comes so soon should not wait for
 * one. Who starts a request makes these alone, which takes no longer than the engine does to take over. Fewer
 * in a test that tries what may come between any two. */
#if !defined(LOOKS)
#define LOOKS 1000
#define EAGER_LOOKS 200
#endif

/* Rough ns of waiting in earnest after which the engine takes over. */
#define PATIENCE_NS 50000000

/* A wait for a word of the rank at that place. */
typedef struct {
    const tti_course *c;
    const _Atomic uint64_t *word;
    uint64_t least;
    int place;
    int64_t since;
} goal;

TTI_HOT static bool is_over(const void *argument)
{
    const goal *g = argument;
    /* Sequentially consistent: it comes after the arming of the bell (runtime/node/bell.c). */
    return tti_windows_reaches(atomic_load(g->word), g->least) ||
           tti_clock_rough() - g->since > PATIENCE_NS || g->c->comm->drop_out_code != 0 ||
           tti_lost_dead_member(g->c->comm) >= 0;
}

static void awaits(const void *argument, tti_awaited *awaited)
{
    const goal *g = argument;
    awaited->comm = g->c->comm;
    awaited->number = g->c->comm->sequence - 1;
    if (g->place == g->c->windows->size)
        tti_windows_absent(g->c->windows, &g->c->use, g->c->comm, awaited);
    else
        tti_awaited_add(awaited, tti_comm_job_rank(g->c->comm, tti_windows_rank(g->c->windows, g->place)));
}

TTI_HOT static bool await_slowly(const tti_course *c, const _Atomic uint64_t *word, uint64_t least, int place)
{
    const goal g = {c, word, least, place, tti_clock_rough()};
    tti_wait_for_memory(is_over, &g, c->call, awaits);
    return tti_windows_reaches(atomic_load(word), least);
}

/* Waits for a post; `own` loses what of TTI_MARK_OWN its rank does not show. False: it has not come, or is of
 * another call. */
TTI_HOT static bool await_one(const tti_course *c, int place, int post, uint64_t *own)
{
    const tti_node_window *theirs = tti_windows_at(c->windows, place, &c->use);
    const uint64_t least = tti_windows_word(&c->use, post);
    const int looks = tti_wait_shares_now() ? 0 : c->call != NULL ? LOOKS : EAGER_LOOKS;
    bool come = tti_windows_reaches(atomic_load_explicit(&theirs->posted, memory_order_acquire), least);
    for (int i = 0; i < looks && !come; i++) {
        if (i >= EAGER_LOOKS) tti_pause();
        come = tti_windows_reaches(atomic_load_explicit(&theirs->posted, memory_order_acquire), least);
    }
    if (!come && c->call == NULL) return false;
    if (!come && !await_slowly(c, &theirs->posted, least, place)) return false;
    *own &= theirs->mark;
    return (theirs->mark & ~TTI_MARK_OWN) == c->mark;
}

/* Before the first wait others must be able to see which call this is. */
TTI_HOT static void show(tti_course *c)
{
    if (!c->shown) tti_windows_enter(c->windows, &c->use, c->shows, false);
    c->shown = true;
}

/* The neighbours first, so that not all look at the same rank at once. Who chooses by what they show ends
 * with the first that cannot be reached. */
TTI_HOT static bool await_all(const tti_course *c, int post, uint64_t *own)
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

TTI_HOT static bool await(const tti_course *c, int peer, int post, uint64_t *own)
{
    if (peer < 0) return await_all(c, post, own);
    return await_one(c, tti_windows_place(c->windows, peer), post, own);
}

TTI_HOT static void post(tti_course *c, const tti_step *step)
{
    if (step->peer == c->comm->size) {
        show(c);
        tti_counted_come(&(tti_counted){c->windows, &c->use, c->schedule->last, c->data, c->mark}, step->tag);
        return;
    }
    if (!c->shown) c->own->mark = c->shows; /* else others may be reading it */
    c->shown = true;
    tti_windows_post_step(c->windows, &c->use, c->schedule, step);
}

/* What is in the line of the window's word last, as the others look at it all the time: taken away between
 * two stores, it must be fetched back for the second. */
TTI_HOT static void copy(const tti_course *c, const tti_step *step, char *to, const char *from)
{
    const size_t beside = tti_node_window_beside(c->plan->window_kind);
    if (step->to_space == TTI_OUTPUT) {
        tti_plan_copy_out(c->plan, to, from, step->bytes);
        return;
    }
    if (step->to_space != TTI_WINDOW || step->bytes <= beside) {
        tti_copy_short(to, from, step->bytes);
        return;
    }
    const size_t head = step->to == 0 ? beside : 0;
    tti_windows_fill(c->windows, to + head, from + head, step->bytes - head);
    atomic_signal_fence(memory_order_seq_cst);
    tti_copy_short(to, from, head);
}

/* What it reads or writes in another's buffers. False: not all of it could be done at once. */
static bool reach(const tti_course *c, const tti_step *step)
{
    return tti_run_reach_now(c->run, (int)(step - c->schedule->steps));
}

TTI_HOT static const char *source(const tti_course *c, const tti_step *step)
{
    if (step->peer < 0) return tti_windows_own(c->space, &c->use, step->from_space, step->from);
    const int place = tti_windows_place(c->windows, step->peer);
    return tti_windows_read(c->windows, place, &c->use, step->from);
}

TTI_HOT static char *target(const tti_course *c, const tti_step *step)
{
    return tti_windows_own(c->space, &c->use, step->to_space, step->to);
}

/* Elements that a step combines: mostly one, and a division takes as long as the rest. */
TTI_HOT static size_t elements(const tti_course *c, const tti_step *step)
{
    const size_t element = c->schedule->element;
    return step->bytes == element ? 1 : step->bytes / element;
}

/* False: it could not be made. */
TTI_HOT static bool make(tti_course *c, const tti_step *step)
{
    uint64_t own = c->shows;
    if (tti_step_reaches(step)) return reach(c, step);
    switch ((enum tti_step_kind)step->kind) {
    case TTI_STEP_COPY: copy(c, step, target(c, step), source(c, step)); return true;
    case TTI_STEP_REDUCE:
        tti_op_apply(c->data->op, source(c, step), target(c, step), elements(c, step), c->data->type);
        return true;
    case TTI_STEP_POST: post(c, step); return true;
    case TTI_STEP_AWAIT: show(c); return await(c, step->peer, step->tag, &own);
    case TTI_STEP_TELL: tti_step_tell(step, target(c, step)); return true;
    case TTI_STEP_COMPARE: return tti_step_told(source(c, step)) == step->to;
    case TTI_STEP_SEND:
    case TTI_STEP_RECV:
    case TTI_STEP_PUT: break;
    }
    return false;
}

/* Returns the step that could not be made, or how many there are. */
TTI_HOT static int follow(tti_course *c)
{
    const tti_schedule *schedule = c->schedule;
    int i = 0;
    while (i < schedule->count && make(c, &schedule->steps[i]))
        i++;
    return i;
}

/* All ranks take the same of the plan's two schedules, by what those say that show something: run_window.c.
 * False: it is not known yet. */
static bool choose(tti_course *c)
{
    uint64_t own = c->shows;
    const int who = c->plan->deciders;
    if ((own & TTI_MARK_REACH) != 0 && who != TTI_OWN && !await(c, who, 0, &own)) return false;
    c->schedule = (own & TTI_MARK_REACH) != 0 ? c->plan->reaching : c->plan->schedule;
    c->run->schedule = c->schedule;
    return true;
}

/* Shows the buffers in which others may read. */
static bool enter(tti_course *c)
{
    tti_run_show(c->run);
    c->shows |= c->run->meeting.mark;
    tti_windows_enter(c->windows, &c->use, c->shows, true);
    c->shown = true;
    return c->plan->reaching == NULL || choose(c);
}

/* The operation is the run's as well: it is asked for what it shows and which call it is, and may go on with
 * it. */
TTI_HOT static void begin_run(tti_course *c)
{
    tti_run *run = c->run;
    run->sequence = (c->comm->sequence - 1) & TTI_RUN_SEQUENCE_MASK;
    run->schedule = c->plan->schedule;
    run->meeting.use = c->use;
    run->meeting.mark = c->mark;
    run->space[TTI_WINDOW] = c->space[TTI_WINDOW];
    c->space[TTI_SCRATCH] = run->space[TTI_SCRATCH];
}

TTI_HOT void tti_course_begin(tti_course *c)
{
    c->windows = c->plan->windows;
    c->comm->sequence++;
    tti_windows_begin(c->windows, c->plan->window_kind, c->plan->schedule->window, &c->use);
    c->mark = tti_run_mark(c->plan, c->data);
    c->shows = c->mark | (tti_windows_through(c->windows, &c->use) ? TTI_MARK_THROUGH : 0);
    tti_run_tell(c->windows, c->plan, c->data, tti_run_form(c->run), c->mark, c->comm->sequence - 1);
    c->own = tti_windows_at(c->windows, c->windows->rank, &c->use);
    c->shown = false;
    c->schedule = c->plan->reaching == NULL ? c->plan->schedule : NULL;
    c->space[TTI_INPUT] = (char *)(uintptr_t)c->data->input;
    c->space[TTI_OUTPUT] = c->data->output;
    c->space[TTI_WINDOW] = (char *)c->own->data;
    if (c->run != NULL) begin_run(c);
}

TTI_HOT bool tti_course_pass(tti_course *c, int *made)
{
    *made = 0;
    if (!tti_windows_free_for(c->windows, &c->use)) return false;
    if (c->plan->reaches && !enter(c)) return false;
    *made = follow(c);
    return *made == c->schedule->count;
}

/* Of a call without steps, too, the others see which it is. */
TTI_HOT void tti_course_end(tti_course *c)
{
    show(c);
    tti_windows_finish(c->windows, &c->use);
}
