/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a communicator depends on every other in a collective, if only through others. So a rank that
 * learns of a death ends its runs on all communicators with the dead one, at once, and tells the ranks that
 * it exchanges messages with in them: they may not have noticed, and would wait for what it no longer sends.
 */
#include "collectives/execute/run_news.h"
#include "collectives/execute/shown.h"
#include "runtime/base/wire.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "tutti/error.h"

tti_link tti_runs = {&tti_runs, &tti_runs};

void tti_run_list(tti_run *run)
{
    tti_list_append(&tti_runs, &run->active);
}

void tti_run_withdraw(const tti_run *run)
{
    if (run->meeting.windows != NULL && run->plan->reaches) tti_windows_withdraw(run->meeting.windows);
}

void tti_run_blame(tti_run *run, int rank)
{
    const int lost = tti_lost_member(run->comm);
    if (run->base.status.source < 0) run->base.status.source = lost >= 0 ? lost : rank;
}

int tti_run_blamed(const tti_run *run)
{
    const int source = run->base.status.source;
    const int rank = source >= 0 ? tti_comm_job_rank(run->comm, source) : -1;
    return rank >= 0 && tti_lost_is_dead(rank) ? rank : -1;
}

tti_run *tti_run_on(uint64_t context, const tti_windows_use *use)
{
    for (tti_link *at = tti_runs.next; at != &tti_runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        const tti_run_meeting *m = &run->meeting;
        if (m->windows != NULL && run->comm->context == context && m->use.kind == use->kind &&
            m->use.number == use->number)
            return run;
    }
    return NULL;
}

uint32_t tti_run_oldest_age(const tti_run *newer, uint32_t number)
{
    uint32_t most = 0;
    for (const tti_link *at = tti_runs.next; at != &tti_runs; at = at->next) {
        const tti_run *run = TTI_OWNER(at, const tti_run, active);
        const uint32_t age = tti_run_age(run, number);
        if (run->comm == newer->comm && run != newer && age > most) most = age;
    }
    return most;
}

/* News of a member that is lost; false: none is. One that has left after a death is lost here alone, since
 * elsewhere it may have done its part. */
static bool news_of_loss(const tutti_comm *comm, tti_run_news *n)
{
    const int lost = tti_lost_member(comm);
    if (lost < 0) return false;
    const int rank = tti_comm_job_rank(comm, lost);
    *n = tti_lost_has_left(rank) ? tti_run_news_of_drop_out(comm, rank, TUTTI_ERR_PEER_FAILED)
                                 : tti_run_news_of_failure(rank);
    return true;
}

/* What it gives up reaches others behind the news why. They may not come from the one that is lost, and the
 * run be over before this rank's own watch for losses goes through them. */
void tti_run_fail(tti_run *run, int error)
{
    tti_run_news loss;
    if (run->error == 0) run->error = error;
    if (error == TUTTI_ERR_PEER_FAILED) tti_run_blame(run, -1);
    if (run->given_up) return;
    run->given_up = true;
    if (error == TUTTI_ERR_PEER_FAILED && news_of_loss(run->comm, &loss))
        tti_run_tell_peers(&loss, run, run->schedule);
    tti_run_withdraw(run);
    run->stop(run);
}

/* A rank that lost this one tells it nothing, nor does one that heard of it. */
static bool heard(int job_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t failed = tti_wire_take_uint(&in, TTI_RUN_FAILURE_BYTES);
    (void)job_rank;
    if (in.failed || in.at != in.end || !tti_ways_is_peer(failed)) return false;
    tti_lost_hold_for_dead((int)failed);
    return true;
}

/* `job_rank` failed; its own operations have been ended. Failing a run ends nothing at once (ends of
 * messages come with later progress), so the list stays as it is. One that has left did its part of what it
 * took part in: a run that misses something of it has seen its messages end. */
static void rank_failed(int job_rank, bool left)
{
    tti_shown_forget(tti_ways_node_index(job_rank));
    if (left) return;
    const tti_run_news failure = tti_run_news_of_failure(job_rank);
    for (tti_link *at = tti_runs.next; at != &tti_runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (tti_comm_rank_of(run->comm, job_rank) < 0) continue;
        if (run->given_up) tti_run_tell_peers(&failure, run, run->schedule);
        tti_run_fail(run, TUTTI_ERR_PEER_FAILED);
    }
}

void tti_run_tell_of_loss(const tti_run *run)
{
    tti_run_news loss;
    if (news_of_loss(run->comm, &loss))
        tti_run_tell_peers(&loss, run, run->plan->schedule); /* else revoked */
}

void tti_run_watch_failures(void)
{
    tti_am_register(TTI_AM_FAILURE, heard);
    tti_lost_watch(rank_failed);
}
