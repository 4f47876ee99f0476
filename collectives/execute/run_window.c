/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs on shared memory: they wait for posts of other ranks (windows.c) beside messages. */
#include "collectives/execute/counted.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"

/* What a run may wait for before its steps: that its windows are free; that it is known which of its
 * schedules all take. */
#define FREE_WINDOWS (-1)
#define CHOICE (-2)
/* And after it has failed: that the other rank writes no more. */
#define WRITER (-3)
/* And where another rank has withdrawn what it has shown: to hear why, which ends it. */
#define NEWS (-4)

/* Rough ns after which it is asked, now and again, whether those that have not come make the same call. */
#define LOOK_NS 20000000

static tti_link waiting = {&waiting, &waiting};

/* The AWAIT that a run is in: to choose it awaits that all have begun by whose buffers it chooses. */
static tti_step awaited_step(const tti_run *run)
{
    if (run->meeting.step != CHOICE) return run->schedule->steps[run->meeting.step];
    return (tti_step){.kind = TTI_STEP_AWAIT, .peer = run->plan->deciders};
}

/* A rank that has finalized posts nothing more, and what it had posted before shows by then. */
static bool has_left(tti_run *run, int place, int post)
{
    const tti_windows *windows = run->meeting.windows;
    bool entered;
    uint64_t mark;
    if (tti_node_departures(windows->node) == 0) return false;
    if (!tti_node_has_left(windows->node, windows->peers[place])) return false;
    if (!tti_progress_knows_departures()) return false; /* it may have told why, before it left */
    if (tti_windows_has_posted(windows, &run->meeting.use, place, post, &entered, &mark)) return false;
    tti_run_fail_here(run, tti_fail(TUTTI_ERR_STATE,
                                    "rank %d of the communicator has called tutti_finalize() "
                                    "without taking part in tutti_%s",
                                    tti_windows_rank(windows, place),
                                    tti_collective_describe(run->plan->collective)->name));
    return true;
}

/* Whether the rank at that place has made its post; a failure ends the run. */
TTI_HOT static bool has_posted(tti_run *run, int place, int post)
{
    const tti_run_meeting *m = &run->meeting;
    bool entered;
    uint64_t mark;
    const bool posted = tti_windows_has_posted(m->windows, &m->use, place, post, &entered, &mark);
    if (__builtin_expect(entered && ((mark ^ m->mark) & ~TTI_MARK_OWN) != 0, 0)) {
        tti_run_refuse(run, place, mark);
        return false;
    }
    return posted || has_left(run, place, post);
}

/* Whether all have made that one post of nobody's. */
static bool last_has_posted(const tti_run *run, int post)
{
    const tti_run_meeting *m = &run->meeting;
    bool entered;
    uint64_t mark;
    return tti_windows_has_posted(m->windows, &m->use, m->windows->size, post, &entered, &mark);
}

/* Of who has not come to the windows nobody shows that the calls differ, or that one has left: who waits for
 * long looks now and again. */
static void look_around(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const int64_t now = tti_clock_rough();
    if (m->looked == 0) m->looked = now;
    if (now - m->looked < LOOK_NS) return;
    m->looked = now;
    for (int place = 0; place < m->windows->size && !run->given_up; place++)
        if (m->step >= 0 && place != m->windows->rank) has_posted(run, place, 0);
    if (!run->given_up && tti_run_find_other_call(run)) tti_run_fail_here(run, TUTTI_ERR_ARG);
}

TTI_HOT static bool have_posted(tti_run *run, int index)
{
    tti_run_meeting *m = &run->meeting;
    const tti_step *step = &run->schedule->steps[index];
    if (step->peer == run->comm->size) return last_has_posted(run, step->tag);
    if (step->peer >= 0) return has_posted(run, tti_windows_place(m->windows, step->peer), step->tag);
    for (; m->place < m->windows->size; m->place++)
        if (m->place != m->windows->rank && !has_posted(run, m->place, step->tag)) return false;
    return true;
}

/* Whether an AWAIT is of a post of the rank at that place. */
static bool names(const tti_run_meeting *m, const tti_step *step, int place)
{
    if (step->peer == TTI_ALL) return place != m->windows->rank;
    return step->peer >= 0 && tti_windows_place(m->windows, step->peer) == place;
}

/* In what ways all buffers can be reached, by what the ranks say that have begun; one that says that its
 * cannot decides. False if that is not known yet. */
static bool find_reach(tti_run *run, uint64_t *reach)
{
    const tti_run_meeting *m = &run->meeting;
    const tti_step begun = {.kind = TTI_STEP_AWAIT, .peer = run->plan->deciders};
    *reach = m->mark & TTI_MARK_REACH;
    for (int place = 0; place < m->windows->size && *reach != 0; place++) {
        if (!names(m, &begun, place)) continue;
        if (!has_posted(run, place, 0)) return false;
        *reach &= tti_windows_at(m->windows, place, &m->use)->mark;
    }
    return true;
}

/* All ranks take the same of the plan's two schedules: each knows the same of the same ranks (the checker
 * proves that it awaits all that show something). */
static bool choose(tti_run *run)
{
    uint64_t reach;
    if (!find_reach(run, &reach)) return false;
    if (reach != 0) tti_run_take_schedule(run, run->plan->reaching, 0);
    run->held = false;
    return true;
}

/* True: the steps may start. */
static bool enter(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const tti_plan *plan = run->plan;
    if (plan->reaches) tti_run_show(run);
    tti_windows_enter(m->windows, &m->use, m->mark, plan->reaches);
    run->held = plan->reaching != NULL;
    return !run->held || choose(run);
}

static bool writer_is_gone(const tti_run *run)
{
    const tti_run_meeting *m = &run->meeting;
    const int other = tti_run_other(run), peer = m->windows->peers[tti_windows_place(m->windows, other)];
    return m->stopped || tti_p2p_is_dead(tti_comm_world(run->comm, other)) ||
           tti_node_has_left(m->windows->node, peer);
}

/* True: the steps may start, or go on. */
static bool has_come(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    if (m->step == NEWS) return false;
    if (m->step == CHOICE) return choose(run);
    if (m->step != FREE_WINDOWS) return have_posted(run, m->step);
    if (!tti_windows_free_for(m->windows, &m->use)) return false;
    if (enter(run)) return true;
    m->step = CHOICE;
    return false;
}

/* One that fails while it is looked at has come onto the list once more, if it is to. */
static bool is_met(tti_run *run)
{
    if (run->meeting.step == WRITER) return writer_is_gone(run);
    if (run->given_up || has_come(run)) return true;
    if (!run->given_up) look_around(run);
    return false;
}

static void end_wait(tti_run *run)
{
    run->outstanding--;
    if (!run->given_up && run->meeting.step >= 0) tti_run_complete_step(run, run->meeting.step);
    tti_run_advance(run);
}

/* Runs may come onto the list and, by their ends, go from it meanwhile. */
static int look(void)
{
    int events = 0;
    tti_link now;
    tti_list_take(&waiting, &now);
    while (!tti_list_empty(&now)) {
        tti_run *run = TTI_OWNER(now.next, tti_run, meeting.waiting);
        tti_list_remove(&run->meeting.waiting);
        const bool failed = run->given_up;
        if (is_met(run) || run->given_up != failed) {
            events++;
            end_wait(run);
        } else {
            tti_list_append(&waiting, &run->meeting.waiting);
        }
    }
    if (tti_list_empty(&waiting)) tti_progress_also(NULL);
    return events;
}

static void put_on_list(tti_run *run)
{
    tti_list_append(&waiting, &run->meeting.waiting);
    tti_progress_also(look);
}

static void wait(tti_run *run, int step)
{
    run->meeting.looked = 0;
    run->meeting.step = step;
    run->outstanding++;
    put_on_list(run);
}

void tti_run_await_news(tti_run *run)
{
    run->held = true;
    wait(run, NEWS);
}

void tti_run_end_later(tti_run *run)
{
    if (tti_list_empty(&run->meeting.waiting))
        put_on_list(run);
    else
        run->outstanding--;
}

void tti_run_await_writer(tti_run *run)
{
    const bool waits = !tti_list_empty(&run->meeting.waiting);
    run->meeting.stopped = false;
    if (waits)
        run->meeting.step = WRITER;
    else
        wait(run, WRITER);
}

void tti_run_writer_stopped(tti_run *run)
{
    if (run != NULL) run->meeting.stopped = true;
}

/* Goes on with what has been begun elsewhere. False: it is to be begun. */
static bool resume(tti_run *run, const tti_run_begun *begun)
{
    if (begun == NULL || !begun->shown) return false;
    run->held = begun->schedule == NULL && !choose(run);
    if (run->held && !run->given_up) wait(run, CHOICE);
    return true;
}

/* What has been begun with this run knows all that. */
static void begin(tti_run *run, const tti_run_begun *begun)
{
    tti_run_meeting *m = &run->meeting;
    if (begun != NULL && begun->run != NULL) return;
    if (begun != NULL)
        m->use = begun->use;
    else
        tti_windows_begin(m->windows, run->plan->window_kind, &m->use);
    m->mark = tti_run_mark(run->plan, &run->data);
    tti_run_tell(m->windows, run->plan, &run->data, m->mark, tti_run_number(run));
    run->space[TTI_WINDOW] = (char *)tti_windows_at(m->windows, m->windows->rank, &m->use)->data;
}

void tti_run_meet(tti_run *run, const tti_run_begun *begun)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL) return;
    begin(run, begun);
    if (resume(run, begun)) return;
    run->held = true;
    if (!tti_windows_free_for(m->windows, &m->use))
        wait(run, FREE_WINDOWS);
    else if (!enter(run) && !run->given_up)
        wait(run, CHOICE);
}

void tti_run_post(tti_run *run, int step)
{
    const tti_step *post = &run->schedule->steps[step];
    const tti_windows *windows = run->meeting.windows;
    if (post->peer == run->comm->size) {
        const tti_run_meeting *m = &run->meeting;
        const uint64_t mark = m->mark & ~TTI_MARK_OWN; /* in which all must agree */
        tti_counted_come(&(tti_counted){windows, &m->use, run->schedule->last, &run->data, mark}, post->tag);
        return;
    }
    const int peer = post->peer >= 0 ? tti_windows_place(windows, post->peer) : post->peer;
    tti_windows_post(windows, &run->meeting.use, post->tag, peer);
    if (post->tag == 1) tti_windows_fetch_next(windows, &run->meeting.use, run->schedule->window);
}

void tti_run_await(tti_run *run, int step)
{
    run->meeting.place = 0;
    if (have_posted(run, step))
        tti_run_complete_step(run, step);
    else if (!run->given_up)
        wait(run, step);
}

TTI_HOT const char *tti_run_source(const tti_run *run, const tti_step *step)
{
    const tti_run_meeting *m = &run->meeting;
    const int place = tti_windows_place(m->windows, step->peer);
    return (const char *)tti_windows_at(m->windows, place, &m->use)->data + step->from;
}

/* Where steps have been given up others may still read what is there. One that has made all, and got an error
 * on the way (a message of another size), is through like any other: else windows would run out. */
void tti_run_part(tti_run *run)
{
    if (run->meeting.windows != NULL && !run->given_up)
        tti_windows_finish(run->meeting.windows, &run->meeting.use);
}

void tti_windows_absent(const tti_windows *windows, const tti_windows_use *use, const tutti_comm *comm,
                        tti_awaited *awaited)
{
    for (int place = 0; place < windows->size; place++) {
        bool entered;
        uint64_t mark;
        if (!tti_windows_has_posted(windows, use, place, 0, &entered, &mark))
            tti_awaited_add(awaited, tti_comm_world(comm, tti_windows_rank(windows, place)));
    }
}

static bool misses(const tti_run_meeting *m, const tti_step *step, int place)
{
    bool entered;
    uint64_t mark;
    return names(m, step, place) &&
           !tti_windows_has_posted(m->windows, &m->use, place, step->tag, &entered, &mark);
}

void tti_run_awaits_posts(const tti_run *run, tti_awaited *awaited)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL || tti_list_empty(&m->waiting)) return;
    if (m->step == FREE_WINDOWS || m->step == NEWS) return;
    if (m->step == WRITER) {
        tti_awaited_add(awaited, tti_comm_world(run->comm, tti_run_other(run)));
        return;
    }
    const tti_step step = awaited_step(run);
    if (step.peer == run->comm->size) {
        tti_windows_absent(m->windows, &m->use, run->comm, awaited);
        return;
    }
    for (int place = 0; place < m->windows->size; place++)
        if (misses(m, &step, place))
            tti_awaited_add(awaited, tti_comm_world(run->comm, tti_windows_rank(m->windows, place)));
}
