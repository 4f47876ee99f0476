/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed run that shows room for what others PUT there: the buffer is its owner's again only when none of
 * them writes any more. They are asked one after the other, behind the news why the operation is over, so
 * that who has been asked begins to write no more; and who writes does not answer meanwhile. */
#include <string.h>

#include "collectives/execute/run_state.h"
#include "runtime/node/view.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "tutti/error.h"

/* STOP is answered by STOPPED. */
enum { STOP, STOPPED };

/* Among ranks of one node and one version; sent as it is. */
typedef struct {
    uint64_t context; /* of the communicator */
    uint64_t number;  /* of the operation on windows of this kind */
    uint32_t kind, what;
} stop_head;

static int job_rank_at(const tti_run *run, int place)
{
    return tti_comm_job_rank(run->comm, tti_windows_rank(run->meeting.windows, place));
}

static bool may_write(const tti_run *run, int place)
{
    const tti_windows *windows = run->meeting.windows;
    if (place == windows->rank || tti_run_is_through(run, place)) return false;
    return !tti_lost_is_dead(job_rank_at(run, place)) &&
           !tti_node_has_left(windows->node, windows->peers[place]);
}

/* Nobody writes before it has begun, nor takes a schedule for which its own buffers cannot be reached. */
static bool has_room_open(const tti_run *run)
{
    const tti_run_meeting *m = &run->meeting;
    bool entered;
    uint64_t mark;
    if (!tti_run_shows_room(run)) return false;
    if (run->plan->reaching != NULL && (m->mark & TTI_MARK_REACH) == 0) return false;
    return tti_windows_has_posted(m->windows, &m->use, m->windows->rank, 0, &entered, &mark);
}

bool tti_run_may_be_written(const tti_run *run)
{
    if (!has_room_open(run)) return false;
    for (int place = 0; place < run->meeting.windows->size; place++)
        if (may_write(run, place)) return true;
    return false;
}

/* Who cannot be told, for want of memory, is held for dead. */
static void ask(tti_run *run)
{
    const stop_head head = {.context = run->comm->context,
                            .number = run->meeting.use.number,
                            .kind = (uint32_t)run->meeting.use.kind,
                            .what = STOP};
    run->meeting.asked = true;
    tti_am_tell(job_rank_at(run, run->meeting.place), TTI_AM_STOP, &head, sizeof head, NULL, 0);
}

bool tti_run_stop_writers(tti_run *run)
{
    tti_run_meeting *m = &run->meeting;
    for (; m->place < m->windows->size; m->place++, m->asked = m->stopped = false) {
        if (m->stopped || !may_write(run, m->place)) continue;
        if (!m->asked) ask(run);
        return false;
    }
    return true;
}

static tti_run *run_of(const stop_head *head)
{
    const tti_windows_use use = {.kind = (enum tti_node_window_kind)head->kind, .number = head->number};
    return tti_run_on(head->context, &use);
}

/* News of a death end a run in later progress only. */
static void stop(int job_rank, stop_head *head)
{
    tti_run *run = run_of(head);
    if (run != NULL) tti_run_fail(run, TUTTI_ERR_PEER_FAILED);
    head->what = STOPPED;
    tti_am_tell(job_rank, TTI_AM_STOP, head, sizeof *head, NULL, 0);
}

/* An answer may come late, when the run waits for another rank, or is over. */
static void take_answer(int job_rank, const stop_head *head)
{
    tti_run *run = run_of(head);
    if (run == NULL || !run->meeting.asked || run->meeting.step != TTI_RUN_WRITERS) return;
    if (job_rank_at(run, run->meeting.place) == job_rank) run->meeting.stopped = true;
}

static bool arrived(int job_rank, const void *payload, size_t bytes)
{
    stop_head head;
    if (bytes != sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    if (head.what > STOPPED || head.kind >= TTI_NODE_WINDOW_KINDS) return false;
    if (head.what == STOPPED)
        take_answer(job_rank, &head);
    else
        stop(job_rank, &head);
    return true;
}

void tti_run_writers_register(void)
{
    tti_am_register(TTI_AM_STOP, arrived);
}
