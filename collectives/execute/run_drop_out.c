/* SPDX-License-Identifier: BSD-3-Clause */
/* A living rank that cannot take part in a collective, for want of memory as a rule, tells all others, and
 * that communicator is over for collectives: which messages of it are still under way nobody knows. So does
 * one that begins a collective and knows of a death there, which the others may not; it names the dead. Who
 * hears of it hands the news on to the ranks that it exchanges messages with, before it withdraws those
 * messages: so they know why, and do not take their end for a death. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/execute/run_news.h"
#include "runtime/base/atomics.h"
#include "runtime/base/status.h"
#include "runtime/base/wire.h"
#include "runtime/p2p/drop_out.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "tutti/error.h"

/* News of a drop-out on a communicator that is being made, whose other ranks were faster. */
typedef struct early_news {
    struct early_news *next;
    uint64_t context;
    int rank, code;
} early_news;

static early_news *early;

/* From now on no collective on the communicator is possible. */
static void note_drop_out(tutti_comm *comm, int job_rank, int code)
{
    const tti_run_news drop_out = tti_run_news_of_drop_out(comm, job_rank, code);
    comm->drop_out_code = code;
    comm->drop_out_rank = job_rank;
    for (tti_link *at = tti_runs.next; at != &tti_runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (run->comm != comm) continue;
        tti_run_tell_peers(&drop_out, run, run->schedule);
        if (code == TUTTI_ERR_PEER_FAILED) tti_run_blame(run, tti_comm_rank_of(comm, job_rank));
        tti_run_fail(run, code);
    }
}

void tti_run_revoke(tutti_comm *comm)
{
    note_drop_out(comm, tti_comm_job_rank(comm, comm->rank), TUTTI_ERR_REVOKED);
}

static int explain_drop_out(const tutti_comm *comm)
{
    if (atomic_load(&comm->revoked)) return tti_comm_check_revoked(comm);
    if (comm->drop_out_detail != NULL) return tti_fail(comm->drop_out_code, "%s", comm->drop_out_detail);
    if (comm->drop_out_code == TUTTI_ERR_PEER_FAILED)
        return tti_fail(TUTTI_ERR_PEER_FAILED,
                        "rank %d of the job has died or cannot be reached, as another rank says",
                        comm->drop_out_rank);
    return tti_fail(
        comm->drop_out_code,
        "rank %d of the job could not take part in a collective: %s; on its communicator no collective is "
        "possible any more",
        comm->drop_out_rank, tutti_strerror(comm->drop_out_code));
}

/* Without memory for the news the sender counts as lost, which ends the same collectives. */
static void keep_early(uint64_t context, int job_rank, int code)
{
    early_news *news = malloc(sizeof *news);
    if (news == NULL) {
        tti_lost_hold_for_dead(job_rank);
        return;
    }
    *news = (early_news){early, context, job_rank, code};
    early = news;
}

/* Of several for one communicator any will do. */
void tti_run_settle_drop_outs(void)
{
    for (early_news **link = &early; *link != NULL;) {
        early_news *news = *link;
        tutti_comm *comm = tti_comm_find(news->context);
        if (comm == NULL && tti_p2p_expects(news->context)) {
            link = &news->next;
            continue;
        }
        if (comm != NULL && tti_comm_rank_of(comm, news->rank) >= 0)
            note_drop_out(comm, news->rank, news->code);
        *link = news->next;
        free(news);
    }
}

static bool has(const tutti_comm *comm, int teller, int dropped)
{
    return tti_comm_rank_of(comm, teller) >= 0 && tti_comm_rank_of(comm, dropped) >= 0;
}

bool tti_run_find_other_call_on(const tutti_comm *comm)
{
    for (const tti_link *at = tti_runs.next; at != &tti_runs; at = at->next) {
        const tti_run *run = TTI_OWNER(at, const tti_run, active);
        if (run->comm == comm && tti_run_find_other_call(run)) return true;
    }
    return false;
}

/* Who finds that a rank has departed names that one, and others itself. */
static void keep_departure(tutti_comm *comm, int job_rank)
{
    tti_fail(TUTTI_ERR_STATE,
             "rank %d of the job has called tutti_finalize() without taking part in a collective, as another "
             "rank says",
             job_rank);
    tti_run_keep_detail(comm);
}

static bool heard_of_drop_out(int job_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t context = tti_wire_take_uint(&in, 8), dropped = tti_wire_take_uint(&in, 4);
    const int64_t code = -(int64_t)tti_wire_take_uint(&in, 4);
    if (in.failed || in.at != in.end || code < INT_MIN || code == 0 || !tti_status_is_known((int)code))
        return false;
    if (!tti_ways_is_peer(dropped)) return false;
    tutti_comm *comm = tti_comm_find(context);
    if (comm != NULL && !has(comm, job_rank, (int)dropped)) return false;
    if (comm == NULL && tti_p2p_expects(context)) keep_early(context, (int)dropped, (int)code);
    if (comm == NULL || comm->drop_out_code != 0) return true;
    note_drop_out(comm, (int)dropped, (int)code);
    if (code == TUTTI_ERR_STATE && (int)dropped != job_rank) keep_departure(comm, (int)dropped);
    explain_drop_out(comm);
    /* Who finds ranks in different calls names itself and one of these: this rank may be another one, with a
     * call under way. */
    if (comm->drop_out_code == TUTTI_ERR_ARG && tti_run_find_other_call_on(comm)) tti_run_keep_detail(comm);
    return true;
}

/* Later calls on the communicator say the same. */
void tti_run_keep_detail(tutti_comm *comm)
{
    if (comm->drop_out_detail == NULL) comm->drop_out_detail = strdup(tutti_error_detail());
}

/* The member (its rank there) without which a collective ends with that code; -1: none. */
static int gone_member(const tutti_comm *comm, int code)
{
    if (code == TUTTI_ERR_PEER_FAILED) return tti_lost_member(comm);
    return code == TUTTI_ERR_STATE ? tti_lost_departed_member(comm) : -1;
}

/* `lost`: the member without which it is; -1: this rank does not take part. */
static int drop_out(tutti_comm *comm, int code, int lost)
{
    if (comm->size == 1 || comm->drop_out_code != 0) return code;
    if (code == TUTTI_ERR_ARG || code == TUTTI_ERR_STATE)
        tti_run_keep_detail(comm); /* of other codes it may be of an earlier error */
    const int about = tti_comm_job_rank(comm, lost >= 0 ? lost : comm->rank);
    const tti_run_news news = tti_run_news_of_drop_out(comm, about, code);
    for (int r = 0; r < comm->size; r++)
        tti_run_tell_rank(&news, comm, r);
    note_drop_out(comm, about, code);
    return code;
}

int tti_run_drop_out(tutti_comm *comm, int code)
{
    return drop_out(comm, code, gone_member(comm, code));
}

/* Others may have departed since, because of the same failure: they did take part. */
void tti_run_fail_without(tti_run *run, int member, int code)
{
    drop_out(run->comm, code, member);
    tti_run_fail(run, code);
}

void tti_run_fail_here(tti_run *run, int error)
{
    if (error != TUTTI_ERR_PEER_FAILED && error != TUTTI_ERR_CANCELLED) tti_run_drop_out(run->comm, error);
    tti_run_fail(run, error);
}

int tti_run_check_whole(const tutti_comm *comm)
{
    return comm->drop_out_code == 0 ? 0 : explain_drop_out(comm);
}

void tti_run_watch_drop_outs(void)
{
    static const tti_dropping_out dropping_out = {tti_run_drop_out, tti_run_check_whole};
    tti_drop_out_by(&dropping_out);
    tti_am_register(TTI_AM_DROP_OUT, heard_of_drop_out);
}
