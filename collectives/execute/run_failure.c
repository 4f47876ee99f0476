/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a communicator depends on every other in a collective, if only through others. So a rank that
 * learns of a death ends its runs on all communicators with the dead one, at once, and tells the ranks that
 * it exchanges messages with in them: they may not have noticed, and would wait for what it no longer sends.
 *
 * A living rank that cannot take part in a collective, for want of memory as a rule, tells all others, and
 * that communicator is over for collectives: which messages of it are still under way nobody knows. So does
 * one that begins a collective and knows of a death there, which the others may not; it names the dead. Who
 * hears of it hands the news on to the ranks that it exchanges messages with, before it withdraws those
 * messages: so they know why, and do not take their end for a death. */
#include "collectives/execute/run_state.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/base/wire.h"
#include "runtime/p2p/drop_out.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "tutti/error.h"

/* Active message: the world rank that failed, 4 bytes. */
#define AM_BYTES 4
/* Active message: a context, 8 bytes, the world rank that took no part in a collective there, 4 bytes, and
 * the code for which it took none, 4 bytes. */
#define DROP_OUT_BYTES 16

/* News of a drop-out on a communicator that is being made, whose other ranks were faster. */
typedef struct early_news {
    struct early_news *next;
    uint64_t context;
    int rank, code;
} early_news;

static early_news *early;

static tti_link runs = {&runs, &runs};

void tti_run_list(tti_run *run)
{
    tti_list_append(&runs, &run->active);
}

void tti_run_withdraw(const tti_run *run)
{
    if (run->meeting.windows != NULL && run->plan->reaches) tti_windows_withdraw(run->meeting.windows);
}

void tti_run_blame(tti_run *run, int rank)
{
    const int lost = tti_p2p_lost_member(run->comm);
    if (run->base.status.source < 0) run->base.status.source = lost >= 0 ? lost : rank;
}

tti_run *tti_run_on(uint64_t context, const tti_windows_use *use)
{
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
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
    for (const tti_link *at = runs.next; at != &runs; at = at->next) {
        const tti_run *run = TTI_OWNER(at, const tti_run, active);
        const uint32_t age = tti_run_age(run, number);
        if (run->comm == newer->comm && run != newer && age > most) most = age;
    }
    return most;
}

typedef struct {
    int kind, about; /* world rank */
    size_t length;
    uint8_t bytes[DROP_OUT_BYTES];
} notice;

static notice notice_of_failure(int world_rank)
{
    notice n = {.kind = TTI_AM_FAILURE, .about = world_rank, .length = AM_BYTES};
    tti_wire_out out = {.at = n.bytes, .end = n.bytes + n.length};
    tti_wire_put_uint(&out, (uint64_t)world_rank, AM_BYTES);
    return n;
}

static notice notice_of_drop_out(const tutti_comm *comm, int world_rank, int code)
{
    notice n = {.kind = TTI_AM_DROP_OUT, .about = world_rank, .length = DROP_OUT_BYTES};
    tti_wire_out out = {.at = n.bytes, .end = n.bytes + n.length};
    tti_wire_put_uint(&out, comm->context, 8);
    tti_wire_put_uint(&out, (uint64_t)world_rank, 4);
    tti_wire_put_uint(&out, (uint64_t)-code, 4);
    return n;
}

/* Not to whom it is about: one that dropped out knows. */
static void tell(const notice *n, const tutti_comm *comm, int rank)
{
    const int peer = tti_comm_world(comm, rank);
    if (rank != comm->rank && peer != n->about && !tti_p2p_is_dead(peer))
        tti_am_tell(peer, n->kind, n->bytes, n->length, NULL, 0);
}

/* The rank that a step exchanges messages with, or may by what they mean (its number tells); -1: none. */
static int partner_of(const tti_step *step)
{
    if (step->kind == TTI_STEP_COMPARE) return step->about;
    return tti_step_is_message(step) ? step->peer : -1;
}

/* Those that such steps of the run's are about; in a communicator over several nodes also those that it
 * shares windows with, as they may exchange messages with nobody. Pipelines have two partners, in turns. */
static void tell_peers(const notice *n, const tti_run *run, const tti_schedule *schedule)
{
    const tti_windows *windows = run->meeting.windows;
    for (int place = 0; windows != NULL && windows->ranks != NULL && place < windows->size; place++)
        tell(n, run->comm, windows->ranks[place]);
    int last = -1, before = -1;
    for (int i = 0; i < schedule->count; i++) {
        const int peer = partner_of(&schedule->steps[i]);
        if (peer < 0 || peer == last || peer == before) continue;
        before = last;
        last = peer;
        tell(n, run->comm, peer);
    }
}

/* News of a member that is lost; false: none is. One that has left after a death is lost here alone, since
 * elsewhere it may have done its part. */
static bool notice_of_loss(const tutti_comm *comm, notice *n)
{
    const int lost = tti_p2p_lost_member(comm);
    if (lost < 0) return false;
    const int rank = tti_comm_world(comm, lost);
    *n = tti_p2p_has_left(rank) ? notice_of_drop_out(comm, rank, TUTTI_ERR_PEER_FAILED)
                                : notice_of_failure(rank);
    return true;
}

/* What it gives up reaches others behind the news why. They may not come from the one that is lost, and the
 * run be over before this rank's own watch for losses goes through them. */
void tti_run_fail(tti_run *run, int error)
{
    notice loss;
    if (run->error == 0) run->error = error;
    if (error == TUTTI_ERR_PEER_FAILED) tti_run_blame(run, -1);
    if (run->given_up) return;
    run->given_up = true;
    if (error == TUTTI_ERR_PEER_FAILED && notice_of_loss(run->comm, &loss))
        tell_peers(&loss, run, run->schedule);
    tti_run_withdraw(run);
    run->stop(run);
}

/* A rank that lost this one tells it nothing, nor does one that heard of it. */
static bool heard(int world_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t failed = tti_wire_take_uint(&in, AM_BYTES);
    (void)world_rank;
    if (in.failed || in.at != in.end || !tti_p2p_is_peer(failed)) return false;
    tti_p2p_hold_for_dead((int)failed);
    return true;
}

/* `world_rank` failed; its own operations have been ended. Failing a run ends nothing at once (ends of
 * messages come with later progress), so the list stays as it is. One that has left did its part of what it
 * took part in: a run that misses something of it has seen its messages end. */
static void rank_failed(int world_rank, bool left)
{
    if (left) return;
    const notice failure = notice_of_failure(world_rank);
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (tti_comm_rank_of(run->comm, world_rank) < 0) continue;
        if (run->given_up) tell_peers(&failure, run, run->schedule);
        tti_run_fail(run, TUTTI_ERR_PEER_FAILED);
    }
}

void tti_run_tell_of_loss(const tti_run *run)
{
    notice loss;
    if (notice_of_loss(run->comm, &loss)) tell_peers(&loss, run, run->plan->schedule); /* else revoked */
}

/* From now on no collective on the communicator is possible. */
static void note_drop_out(tutti_comm *comm, int world_rank, int code)
{
    const notice drop_out = notice_of_drop_out(comm, world_rank, code);
    comm->drop_out_code = code;
    comm->drop_out_rank = world_rank;
    for (tti_link *at = runs.next; at != &runs; at = at->next) {
        tti_run *run = TTI_OWNER(at, tti_run, active);
        if (run->comm != comm) continue;
        tell_peers(&drop_out, run, run->schedule);
        if (code == TUTTI_ERR_PEER_FAILED) tti_run_blame(run, tti_comm_rank_of(comm, world_rank));
        tti_run_fail(run, code);
    }
}

void tti_run_revoke(tutti_comm *comm)
{
    note_drop_out(comm, tti_comm_world(comm, comm->rank), TUTTI_ERR_REVOKED);
}

static int explain_drop_out(const tutti_comm *comm)
{
    if (comm->revoked) return tti_p2p_check_revoked(comm);
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
static void keep_early(uint64_t context, int world_rank, int code)
{
    early_news *news = malloc(sizeof *news);
    if (news == NULL) {
        tti_p2p_hold_for_dead(world_rank);
        return;
    }
    *news = (early_news){early, context, world_rank, code};
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

/* Who finds ranks in different calls names itself and one of these: this rank may be another one, with a call
 * under way. */
static void find_other_call(tutti_comm *comm)
{
    for (tti_link *at = runs.next; at != &runs && comm->drop_out_code == TUTTI_ERR_ARG; at = at->next) {
        const tti_run *run = TTI_OWNER(at, tti_run, active);
        if (run->comm != comm || !tti_run_find_other_call(run)) continue;
        tti_run_keep_detail(comm);
        return;
    }
}

static bool heard_of_drop_out(int world_rank, const void *payload, size_t bytes)
{
    tti_wire_in in = {.at = payload, .end = (const uint8_t *)payload + bytes};
    const uint64_t context = tti_wire_take_uint(&in, 8), dropped = tti_wire_take_uint(&in, 4);
    const int64_t code = -(int64_t)tti_wire_take_uint(&in, 4);
    if (in.failed || in.at != in.end || code < INT_MIN || code == 0 || !tti_status_is_known((int)code))
        return false;
    if (!tti_p2p_is_peer(dropped)) return false;
    tutti_comm *comm = tti_comm_find(context);
    if (comm != NULL && !has(comm, world_rank, (int)dropped)) return false;
    if (comm == NULL && tti_p2p_expects(context)) keep_early(context, (int)dropped, (int)code);
    if (comm == NULL || comm->drop_out_code != 0) return true;
    note_drop_out(comm, (int)dropped, (int)code);
    explain_drop_out(comm);
    find_other_call(comm);
    return true;
}

/* Later calls on the communicator say the same. */
void tti_run_keep_detail(tutti_comm *comm)
{
    if (comm->drop_out_detail == NULL) comm->drop_out_detail = strdup(tutti_error_detail());
}

int tti_run_drop_out(tutti_comm *comm, int code)
{
    if (comm->size == 1 || comm->drop_out_code != 0) return code;
    if (code == TUTTI_ERR_ARG) tti_run_keep_detail(comm); /* of other codes it may be of an earlier error */
    const int lost = code == TUTTI_ERR_PEER_FAILED ? tti_p2p_lost_member(comm) : -1;
    const int about = tti_comm_world(comm, lost >= 0 ? lost : comm->rank);
    const notice drop_out = notice_of_drop_out(comm, about, code);
    for (int r = 0; r < comm->size; r++)
        tell(&drop_out, comm, r);
    note_drop_out(comm, about, code);
    return code;
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

void tti_run_watch_failures(void)
{
    static const tti_dropping_out dropping_out = {tti_run_drop_out, tti_run_check_whole};
    tti_drop_out_by(&dropping_out);
    tti_am_register(TTI_AM_FAILURE, heard);
    tti_am_register(TTI_AM_DROP_OUT, heard_of_drop_out);
    tti_p2p_watch(rank_failed);
}
