/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/run_news.h"

#include "runtime/base/wire.h"
#include "runtime/peers/lost.h"

tti_run_news tti_run_news_of_failure(int job_rank)
{
    tti_run_news n = {.kind = TTI_AM_FAILURE, .about = job_rank, .length = TTI_RUN_FAILURE_BYTES};
    tti_wire_out out = {.at = n.bytes, .end = n.bytes + n.length};
    tti_wire_put_uint(&out, (uint64_t)job_rank, TTI_RUN_FAILURE_BYTES);
    return n;
}

tti_run_news tti_run_news_of_drop_out(const tutti_comm *comm, int job_rank, int code)
{
    tti_run_news n = {.kind = TTI_AM_DROP_OUT, .about = job_rank, .length = TTI_RUN_DROP_OUT_BYTES};
    tti_wire_out out = {.at = n.bytes, .end = n.bytes + n.length};
    tti_wire_put_uint(&out, comm->context, 8);
    tti_wire_put_uint(&out, (uint64_t)job_rank, 4);
    tti_wire_put_uint(&out, (uint64_t)-code, 4);
    return n;
}

void tti_run_tell_rank(const tti_run_news *n, const tutti_comm *comm, int rank)
{
    const int peer = tti_comm_job_rank(comm, rank);
    if (rank != comm->rank && peer != n->about && !tti_lost_is_dead(peer))
        tti_am_tell(peer, n->kind, n->bytes, n->length, NULL, 0);
}

/* The rank that a step exchanges messages with, or may by what they mean (its number tells); -1: none. */
static int partner_of(const tti_step *step)
{
    if (step->kind == TTI_STEP_COMPARE) return step->about;
    return tti_step_is_message(step) ? step->peer : -1;
}

/* Pipelines have two partners, in turns. */
void tti_run_tell_peers(const tti_run_news *n, const tti_run *run, const tti_schedule *schedule)
{
    const tti_windows *windows = run->meeting.windows;
    const bool all = windows != NULL && (windows->ranks != NULL || tti_run_shows_room(run));
    for (int place = 0; all && place < windows->size; place++)
        tti_run_tell_rank(n, run->comm, tti_windows_rank(windows, place));
    int last = -1, before = -1;
    for (int i = 0; i < schedule->count; i++) {
        const int peer = partner_of(&schedule->steps[i]);
        if (peer < 0 || peer == last || peer == before) continue;
        before = last;
        last = peer;
        tti_run_tell_rank(n, run->comm, peer);
    }
}
