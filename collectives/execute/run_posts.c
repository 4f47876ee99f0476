/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run on shared memory sees of the other ranks: whether they have made their posts, have left, or are
 * in another call; and whom it waits for. */
#include "collectives/execute/run_state.h"
#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"

/* Rough ns after which it is asked, now and again, whether those that have not come make the same call. */
#define LOOK_NS 20000000

static int job_rank_at(const tti_run *run, int place)
{
    return tti_comm_job_rank(run->comm, tti_windows_rank(run->meeting.windows, place));
}

/* A rank that has finalized does nothing more here, and what it had done before shows by then; and so has
 * come what it told. */
static bool has_departed(const tti_run *run, int place)
{
    return tti_lost_any_departed() && tti_lost_has_departed(job_rank_at(run, place));
}

static void fail_without(tti_run *run, int place)
{
    const int member = tti_windows_rank(run->meeting.windows, place);
    const bool after_death = tti_lost_has_left(job_rank_at(run, place));
    const int code =
        tti_fail(after_death ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_STATE,
                 "rank %d of the communicator has called tutti_finalize() without taking part in tutti_%s",
                 member, tti_collective_describe(run->plan->collective)->name);
    tti_run_fail_without(run, member, code);
}

static bool has_left(tti_run *run, int place, int post)
{
    bool entered;
    uint64_t mark;
    if (!has_departed(run, place)) return false;
    if (tti_windows_has_posted(run->meeting.windows, &run->meeting.use, place, post, &entered, &mark))
        return false;
    fail_without(run, place);
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
        tti_run_fail_here(run, tti_run_explain_other(run, m->windows, place, mark));
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

/* Others tell their last call alone. Where they are many ahead its number may be that of a run which waits
 * for its windows behind this one, and does not look itself (run_window.c). */
static bool find_other_call(const tti_run *run)
{
    return run->meeting.step == TTI_RUN_FREE_WINDOWS ? tti_run_find_other_call_on(run->comm)
                                                     : tti_run_find_other_call(run);
}

/* A run waits for its windows without a look at anybody's post. A rank that has left holds them back only
 * from operations in which it takes no part: of what it has finished it keeps less to itself than there are
 * windows (tti_windows_finish()). */
static void look_at(tti_run *run, int place)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->step >= 0)
        has_posted(run, place, 0);
    else if (m->step == TTI_RUN_FREE_WINDOWS && has_departed(run, place) &&
             tti_windows_holds(m->windows, &m->use, place))
        fail_without(run, place);
}

void tti_run_look_around(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    const int64_t now = tti_clock_rough();
    if (m->looked == 0) m->looked = now;
    if (now - m->looked < LOOK_NS) return;
    m->looked = now;
    for (int place = 0; place < m->windows->size && !run->given_up; place++)
        if (place != m->windows->rank) look_at(run, place);
    if (!run->given_up && find_other_call(run)) tti_run_fail_here(run, TUTTI_ERR_ARG);
}

TTI_HOT bool tti_run_have_posted(tti_run *run, int index)
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

/* One that says that its buffers cannot be reached decides. */
bool tti_run_find_reach(tti_run *run, uint64_t *reach)
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

bool tti_run_is_through(const tti_run *run, int place)
{
    const tti_run_meeting *m = &run->meeting;
    const tti_schedule *schedule = tti_plan_reaching(run->plan);
    int last = 0;
    bool entered;
    uint64_t mark;
    for (int i = 0; i < schedule->count; i++) {
        const tti_step *step = &schedule->steps[i];
        if (step->kind == TTI_STEP_AWAIT && names(m, step, place) && step->tag > last) last = step->tag;
    }
    return last > 0 && tti_windows_has_posted(m->windows, &m->use, place, last, &entered, &mark);
}

/* The AWAIT that a run is in: to choose it awaits that all have begun by whose buffers it chooses. */
static tti_step awaited_step(const tti_run *run)
{
    if (run->meeting.step != TTI_RUN_CHOICE) return run->schedule->steps[run->meeting.step];
    return (tti_step){.kind = TTI_STEP_AWAIT, .peer = run->plan->deciders};
}

static bool misses(const tti_run_meeting *m, const tti_step *step, int place)
{
    bool entered;
    uint64_t mark;
    return names(m, step, place) &&
           !tti_windows_has_posted(m->windows, &m->use, place, step->tag, &entered, &mark);
}

static bool is_awaited(const tti_run *run, int place)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->step == TTI_RUN_NEWS) return false;
    if (m->step == TTI_RUN_WRITERS) return place == m->place;
    if (m->step == TTI_RUN_FREE_WINDOWS)
        return place != m->windows->rank && tti_windows_holds(m->windows, &m->use, place);
    const tti_step step = awaited_step(run);
    return misses(m, &step, place);
}

void tti_run_awaits_posts(const tti_run *run, tti_awaited *awaited)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL || tti_list_empty(&m->waiting)) return;
    if (m->step >= 0 && run->schedule->steps[m->step].peer == run->comm->size) {
        tti_windows_absent(m->windows, &m->use, run->comm, awaited);
        return;
    }
    for (int place = 0; place < m->windows->size; place++)
        if (is_awaited(run, place)) tti_awaited_add(awaited, job_rank_at(run, place));
}
