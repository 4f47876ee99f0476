/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs on shared memory: they wait for posts of other ranks (windows.c) beside messages. */
#include "collectives/execute/counted.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/hot.h"
#include "runtime/progress/progress.h"

static tti_link waiting = {&waiting, &waiting};

/* All ranks take the same of the plan's two schedules: each knows the same of the same ranks (the checker
 * proves that it awaits all that show something). */
static bool choose(tti_run *run)
{
    uint64_t reach;
    if (!tti_run_find_reach(run, &reach)) return false;
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

/* Operations get windows in the order of their numbers: behind one that still waits for its own none has to
 * ask in the same round. Hundreds under way would read every rank's counts each, in each round. */
static uint64_t round_number;

static bool is_behind_waiting(const tti_run *run)
{
    const tti_windows_use *use = &run->meeting.use;
    const tti_windows_progress *kind = &run->meeting.windows->kinds[use->kind];
    return run->meeting.step == TTI_RUN_FREE_WINDOWS && kind->refused.round == round_number &&
           use->number >= kind->refused.number && use->apart <= kind->refused.apart;
}

static bool has_window(tti_run *run)
{
    const tti_windows_use *use = &run->meeting.use;
    tti_windows_progress *kind = &run->meeting.windows->kinds[use->kind];
    if (tti_windows_free_for(run->meeting.windows, use)) return true;
    kind->refused.number = use->number;
    kind->refused.apart = use->apart;
    kind->refused.round = round_number;
    return false;
}

/* True: the steps may start, or go on. */
static bool has_come(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    if (m->step == TTI_RUN_NEWS) return false;
    if (m->step == TTI_RUN_CHOICE) return choose(run);
    if (m->step != TTI_RUN_FREE_WINDOWS) return tti_run_have_posted(run, m->step);
    if (!has_window(run)) return false;
    if (enter(run)) return true;
    if (!run->given_up) m->step = TTI_RUN_CHOICE; /* else it may wait for its writer already */
    return false;
}

/* One that fails while it is looked at has come onto the list once more, if it is to. For those that are
 * behind it the one that waits for its windows looks around. */
static bool is_met(tti_run *run)
{
    if (run->meeting.step == TTI_RUN_WRITERS) return tti_run_stop_writers(run);
    if (run->given_up) return true;
    if (is_behind_waiting(run)) return false;
    if (has_come(run)) return true;
    if (!run->given_up) tti_run_look_around(run);
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
    round_number++;
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
    if (tti_list_empty(&waiting)) tti_progress_look(TTI_LOOK_RUNS, NULL);
    return events;
}

static void put_on_list(tti_run *run)
{
    tti_list_append(&waiting, &run->meeting.waiting);
    tti_progress_look(TTI_LOOK_RUNS, look);
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
    wait(run, TTI_RUN_NEWS);
}

void tti_run_end_later(tti_run *run)
{
    if (tti_list_empty(&run->meeting.waiting))
        put_on_list(run);
    else
        run->outstanding--;
}

void tti_run_await_writers(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const bool waits = !tti_list_empty(&m->waiting);
    m->place = 0;
    m->asked = m->stopped = false;
    if (waits)
        m->step = TTI_RUN_WRITERS;
    else
        wait(run, TTI_RUN_WRITERS);
}

/* Goes on with what has been begun elsewhere. False: it is to be begun. */
static bool resume(tti_run *run, const tti_run_begun *begun)
{
    if (begun == NULL || !begun->shown) return false;
    run->held = begun->schedule == NULL && !choose(run);
    if (run->held && !run->given_up) wait(run, TTI_RUN_CHOICE);
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
        tti_windows_begin(m->windows, run->plan->window_kind, run->plan->schedule->window, &m->use);
    m->mark = tti_run_mark(run->plan, &run->data);
    tti_run_tell(m->windows, run->plan, &run->data, tti_run_form(run), m->mark, tti_run_number(run));
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
        wait(run, TTI_RUN_FREE_WINDOWS);
    else if (!enter(run) && !run->given_up)
        wait(run, TTI_RUN_CHOICE);
}

void tti_run_post(tti_run *run, int step)
{
    const tti_step *post = &run->schedule->steps[step];
    const tti_run_meeting *m = &run->meeting;
    const uint64_t mark = m->mark & ~TTI_MARK_OWN; /* in which all must agree */
    if (post->peer == run->comm->size)
        tti_counted_come(&(tti_counted){m->windows, &m->use, run->schedule->last, &run->data, mark},
                         post->tag);
    else
        tti_windows_post_step(m->windows, &m->use, run->schedule, post);
}

void tti_run_await(tti_run *run, int step)
{
    run->meeting.place = 0;
    if (tti_run_have_posted(run, step))
        tti_run_complete_step(run, step);
    else if (!run->given_up)
        wait(run, step);
}
