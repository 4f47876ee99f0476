/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs on shared memory: they wait for posts of other ranks (windows.c) beside messages. */
#include "collectives/contract/call_record.h"
#include "collectives/execute/run_state.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/progress.h"

#define FREE_WINDOWS (-1)

/* What a rank shows of the call that it makes: collective, size, and 16 bits for the rest. */
#define MARK_SIZE_BITS 40
#define MARK_COLLECTIVE_BITS 56
_Static_assert(TTI_COLLECTIVES < 255, "a mark has eight bits for the collective");

static uint64_t mark_of(const tti_call_record *call)
{
    return (uint64_t)(call->collective + 1U) << MARK_COLLECTIVE_BITS |
           (uint64_t)tti_call_signature(call) << MARK_SIZE_BITS |
           (call->bytes & ((UINT64_C(1) << MARK_SIZE_BITS) - 1));
}
static size_t size_of(uint64_t mark)
{
    return (size_t)(mark & ((UINT64_C(1) << MARK_SIZE_BITS) - 1));
}

uint64_t tti_run_make_mark(tti_plan *plan, const tti_run_data *data)
{
    const tti_call_record call =
        tti_call_record_of(plan->collective, &plan->shape, data->type, data->op, TTI_FORM_NONBLOCKING);
    plan->marked_type = data->type;
    plan->marked_op = data->op;
    plan->mark = mark_of(&call);
    return plan->mark;
}

static tti_link waiting = {&waiting, &waiting};

static const tti_step *step_of(const tti_run *run, int step)
{
    return &run->plan->schedule->steps[step];
}

/* The ranks make different calls, which can no longer be told apart from here on. */
static void refuse(tti_run *run, int place, uint64_t mark)
{
    const int rank = tti_windows_rank(run->meeting.windows, place);
    const uint8_t called = (uint8_t)((mark >> MARK_COLLECTIVE_BITS) - 1);
    const char *mine = tti_collective_describe(run->plan->collective)->name;
    const bool other = called != (uint8_t)run->plan->collective && called < TTI_COLLECTIVES;
    tti_run_fail_here(
        run, tti_fail(TUTTI_ERR_ARG,
                      "tutti_%s: rank %d calls it with %zu bytes, rank %d %s%s with %zu: they differ in the "
                      "collective, sizes, root, type, operation or form",
                      mine, run->comm->rank, size_of(run->meeting.mark), rank, other ? "tutti_" : "",
                      other ? tti_collective_describe((enum tti_collective)called)->name : "calls it",
                      size_of(mark)));
}

/* A rank that has finalized posts nothing more, and what it had posted before shows by then. */
static bool has_left(tti_run *run, int place, int post)
{
    const tti_windows *windows = run->meeting.windows;
    bool entered;
    uint64_t mark;
    if (tti_node_departures(windows->node) == 0) return false;
    if (!tti_node_has_left(windows->node, windows->peers[place])) return false;
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
    if (__builtin_expect(entered && mark != m->mark, 0)) {
        refuse(run, place, mark);
        return false;
    }
    return posted || has_left(run, place, post);
}

TTI_HOT static bool have_posted(tti_run *run, const tti_step *step)
{
    tti_run_meeting *m = &run->meeting;
    if (step->peer >= 0) return has_posted(run, tti_windows_place(m->windows, step->peer), step->tag);
    for (; m->place < m->windows->size; m->place++)
        if (m->place != m->windows->rank && !has_posted(run, m->place, step->tag)) return false;
    return true;
}

static void enter(tti_run *run)
{
    run->held = false;
    tti_windows_enter(run->meeting.windows, &run->meeting.use, run->meeting.mark);
}

static bool is_met(tti_run *run)
{
    if (run->given_up) return true;
    if (run->meeting.step != FREE_WINDOWS) return have_posted(run, step_of(run, run->meeting.step));
    return tti_windows_free_for(run->meeting.windows, &run->meeting.use);
}

static void end_wait(tti_run *run)
{
    run->outstanding--;
    if (!run->given_up && run->meeting.step == FREE_WINDOWS)
        enter(run);
    else if (!run->given_up)
        tti_run_complete_step(run, run->meeting.step);
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
        if (is_met(run) || run->given_up) {
            events++;
            end_wait(run);
        } else {
            tti_list_append(&waiting, &run->meeting.waiting);
        }
    }
    if (tti_list_empty(&waiting)) tti_progress_also(NULL);
    return events;
}

static void wait(tti_run *run, int step)
{
    run->meeting.step = step;
    run->outstanding++;
    tti_list_append(&waiting, &run->meeting.waiting);
    tti_progress_also(look);
}

void tti_run_meet(tti_run *run, const tti_run_begun *begun)
{
    tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL) return;
    if (begun != NULL)
        m->use = begun->use;
    else
        tti_windows_begin(m->windows, run->plan->window_kind, &m->use);
    m->mark = tti_run_mark(run->plan, &run->data);
    run->space[TTI_WINDOW] = (char *)tti_windows_at(m->windows, m->windows->rank, &m->use)->data;
    if (begun != NULL && begun->shown) return;
    run->held = true;
    if (tti_windows_free_for(m->windows, &m->use))
        enter(run);
    else
        wait(run, FREE_WINDOWS);
}

void tti_run_post(tti_run *run, int step)
{
    const tti_step *post = step_of(run, step);
    const tti_windows *windows = run->meeting.windows;
    const int peer = post->peer >= 0 ? tti_windows_place(windows, post->peer) : post->peer;
    tti_windows_post(windows, &run->meeting.use, post->tag, peer);
}

void tti_run_await(tti_run *run, int step)
{
    run->meeting.place = 0;
    if (have_posted(run, step_of(run, step)))
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

/* After a failure others may still read what is there. */
void tti_run_part(tti_run *run)
{
    if (run->meeting.windows != NULL && run->error == 0)
        tti_windows_finish(run->meeting.windows, &run->meeting.use);
}

static bool misses(const tti_run_meeting *m, const tti_step *step, int place)
{
    bool entered;
    uint64_t mark;
    if (step->peer >= 0 ? tti_windows_place(m->windows, step->peer) != place : place == m->windows->rank)
        return false;
    return !tti_windows_has_posted(m->windows, &m->use, place, step->tag, &entered, &mark);
}

void tti_run_awaits_posts(const tti_run *run, tti_awaited *awaited)
{
    const tti_run_meeting *m = &run->meeting;
    if (m->windows == NULL || tti_list_empty(&m->waiting) || m->step == FREE_WINDOWS) return;
    for (int place = 0; place < m->windows->size; place++)
        if (misses(m, step_of(run, m->step), place))
            tti_awaited_add(awaited, tti_comm_world(run->comm, tti_windows_rank(m->windows, place)));
}
