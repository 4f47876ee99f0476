/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has which piece after deaths follows from who kept, who is whose buddy and who is left, which all who
 * kept know: they exchange nothing but the version, to find out a program that has gone out of step. Where
 * newcomers are in the places of the dead they get the pieces of these from the buddies:
 *
 *     all          agree on the version, and on whether everybody is at the place where it kept
 *     all          count newcomers and those who have not kept it, if some have nothing
 *     buddy        head: bytes; data    ---->   newcomer
 *     all          agree that this went well, and keep all pieces anew */

#include "keep/agreed.h"
#include "keep/keeping.h"
#include "keep/rebuild.h"
#include "runtime/base/status.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "tutti/collectives.h"
#include "tutti/comm.h"
#include "tutti/fault.h"
#include "tutti/keep.h"
#include "tutti/p2p.h"
#include "tutti/request.h"

enum { TAG_HEAD, TAG_DATA };

/* What is agreed on after each step. */
#define ALL_WELL UINT64_C(1)
#define NOT_REVOKED UINT64_C(2)

typedef struct {
    uint64_t stamp, bytes;
    uint64_t has_none; /* it is lost */
} piece_head;

/* The caller does not have the lock, and another thread may keep something else meanwhile. */
static tti_keep *find_version(const char *name)
{
    tti_lock();
    tti_keep *k = tti_keep_find_version(name);
    tti_unlock();
    return k;
}

static bool is_new(const tti_keep *k, const tutti_comm *comm, int rank)
{
    return tti_comm_job_rank(comm, rank) != k->members[rank];
}

static tutti_kept piece_of(const tti_keep *k, int rank, const tti_keep_room *room)
{
    return (tutti_kept){.rank = rank, .of = k->size, .bytes = room->bytes, .data = room->memory};
}

/* By whom a newcomer hears of its piece: the dead one's buddy, or of a lost one the first that lives. */
static int teller(const tti_keep *k, const tutti_comm *comm, int rank)
{
    int from = k->buddy[rank];
    if (tti_keep_lives(k, comm, from)) return from;
    for (from = 0; !tti_keep_lives(k, comm, from); from++)
        continue;
    return from;
}

/* What this rank has of a dead one; -1: nothing. */
static int held(const tti_keep *k, const tutti_comm *comm, const tti_keep_room **room)
{
    *room = k->others > 0 ? &k->rebuilt : &k->wards[k->version % 2];
    if (k->others > 0) return k->rebuilt_of;
    return tti_keep_is_inherited(k) || tti_keep_lives(k, comm, k->ward) ? -1 : k->ward;
}

static int send_piece(const tti_keep *k, const tutti_comm *comm, tutti_comm *way, int to)
{
    const tti_keep_room *room;
    const bool has = held(k, comm, &room) == to;
    const piece_head head = {k->stamp, room->bytes, !has};
    int code = tutti_send(way, &head, sizeof head, to, TAG_HEAD);
    if (code == 0 && has) code = tutti_send(way, room->memory, room->bytes, to, TAG_DATA);
    return code;
}

static int hand_out(const tti_keep *k, const tutti_comm *comm, tutti_comm *way)
{
    int code = 0;
    for (int r = 0; r < k->size; r++) {
        if (!is_new(k, comm, r) || teller(k, comm, r) != k->rank) continue;
        const int sent = send_piece(k, comm, way, r);
        if (code == 0) code = sent;
    }
    return code;
}

/* Room for what it inherits. */
static int make_heir(const char *name, const tutti_comm *comm, int giver, const piece_head *head,
                     tti_keep **made)
{
    tti_lock();
    int code = tti_keep_inherit(name, comm, giver, head->stamp, made);
    if (code == 0) code = tti_keep_room_private(&(*made)->mine[(*made)->version % 2], (size_t)head->bytes);
    tti_unlock();
    return code;
}

/* In the place of what it inherited before. */
static int inherit(const char *name, const tutti_comm *comm, tutti_comm *way)
{
    piece_head head;
    tutti_status status;
    tti_keep *k = NULL, *former = find_version(name);
    int code = tutti_recv(way, &head, sizeof head, TUTTI_ANY_SOURCE, TAG_HEAD, &status);
    if (code < 0 || head.has_none) return code;
    code = make_heir(name, comm, status.source, &head, &k);
    tti_keep_room none = {0}, *room = code == 0 ? &k->mine[k->version % 2] : &none;
    const int taken = tutti_recv(way, room->memory, room->bytes, status.source, TAG_DATA, NULL);
    if (code == 0) code = taken;
    tti_lock();
    if (code == 0 && former != NULL) tti_keep_free(former);
    if (code < 0 && k != NULL) tti_keep_free(k);
    tti_unlock();
    return code;
}

/* All say the same of a communicator that was revoked, of which some may not have heard yet; else each that
 * failed says why. The way is revoked, too, where another rank failed. */
static int agree_on(tutti_comm *comm, int code, const char *name)
{
    tti_lock();
    uint64_t flags = (code == 0 ? ALL_WELL : 0) | (comm->revoked ? 0 : NOT_REVOKED);
    tti_unlock();
    const int agreed = tutti_comm_agree(comm, &flags);
    if (agreed < 0 || (flags & ALL_WELL) != 0) return agreed;
    if ((flags & NOT_REVOKED) == 0)
        return tti_fail(TUTTI_ERR_REVOKED,
                        "tutti_recall: the communicator was revoked before \"%s\" was given "
                        "to all newcomers",
                        name);
    if (code < 0 && code != TUTTI_ERR_REVOKED) return code;
    return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_recall: \"%s\" could not be given to all newcomers", name);
}

static int give(tti_keep *k, const tutti_comm *comm, tutti_comm *way, bool hand)
{
    const int code = tti_keep_rebuild(k, comm, way);
    const int given = hand ? hand_out(k, comm, way) : 0;
    return code < 0 ? code : given;
}

static bool has_kept(const tti_keep *k)
{
    return k != NULL && !tti_keep_is_inherited(k);
}

/* Who has nothing is a newcomer, or has forgotten what it kept: those who kept it know how many newcomers
 * there are, and all together how many have not kept it. */
static int count_newcomers(const tutti_comm *comm, const tti_keep *k, tutti_comm *way, bool *forgotten)
{
    const int kept = has_kept(k);
    const int64_t here[] = {kept, kept ? tti_keep_count_new(k, comm) : 0};
    int64_t sums[2];
    const int code = tutti_allreduce(way, here, sums, 2, TUTTI_INT64, TUTTI_SUM);
    *forgotten = code == 0 && sums[1] != sums[0] * (comm->size - sums[0]);
    return code;
}

/* Where it fails at one end, the other must not wait for the rest: a newcomer learns from any rank, and so
 * hears of a death that its teller may not hear of. */
static int move_pieces(const char *name, const tutti_comm *comm, tti_keep *k, tutti_comm *way,
                       const tti_keep_agreed *all)
{
    bool forgotten = false;
    int code = all->lacks ? count_newcomers(comm, k, way, &forgotten) : 0;
    if (forgotten) return tti_keep_tell_differ(name, k); /* all see it, if `way` is not revoked now */
    if (code == 0)
        code = has_kept(k) ? give(k, comm, way, all->hands) : all->hands ? inherit(name, comm, way) : 0;
    if (code < 0) (void)!tutti_comm_revoke(way);
    return code;
}

/* All have a way of their own for it, or nobody begins. */
static int exchange(tutti_comm *comm, const char *name, tti_keep *k, const tti_keep_agreed *all)
{
    tutti_comm *way = NULL;
    int code = agree_on(comm, tutti_comm_dup(comm, &way), name);
    if (code == 0) code = agree_on(comm, move_pieces(name, comm, k, way, all), name);
    const int freed = way != NULL ? tutti_comm_free(&way) : 0;
    return code < 0 ? code : freed;
}

/* Where the answer goes. */
typedef struct {
    tutti_kept *pieces;
    int room, *count;
} wish;

static int check(const tutti_comm *comm, const char *name, const tutti_kept *pieces, int room,
                 const int *count)
{
    const int code = tti_check_open("tutti_recall");
    const bool good =
        comm != NULL && name != NULL && count != NULL && (pieces != NULL || room == 0) && room >= 0;
    if (code < 0 || good) return code;
    return tti_fail(TUTTI_ERR_ARG, "tutti_recall: an argument is NULL, or room is negative");
}

static bool is_idle(const void *name)
{
    return tti_keep_find_busy(name) == NULL;
}

/* One that is being made counts for all or for none, which not all know yet. */
static void await_version(const char *name)
{
    tti_lock();
    if (!is_idle(name)) tti_wait_until(is_idle, name, "tutti_recall", TUTTI_ANY_SOURCE);
    tti_unlock();
}

/* Where nothing is handed out the one that gave it shows it, as the piece of a dead rank. */
static bool is_shown_elsewhere(const tti_keep *k, const tutti_comm *comm)
{
    return tti_keep_is_inherited(k) && tti_comm_rank_of(comm, k->giver) >= 0;
}

static void show(const tti_keep *k, const tutti_comm *comm, bool hand, const wish *w)
{
    if (!hand && is_shown_elsewhere(k, comm)) return;
    const tti_keep_room *room;
    const int dead = hand ? -1 : held(k, comm, &room);
    *w->count = dead < 0 ? 1 : 2;
    if (w->room > 0) w->pieces[0] = piece_of(k, k->rank, &k->mine[k->version % 2]);
    if (w->room > 1 && dead >= 0) w->pieces[1] = piece_of(k, dead, room);
}

static int recall(tutti_comm *comm, const char *name, const wish *w)
{
    tti_keep_agreed all = {0};
    tti_keep *k = find_version(name);
    *w->count = 0;
    int code = tti_keep_compare(comm, name, k, &all);
    const bool moves = all.hands || all.rebuilds || (all.lacks && !all.orphaned);
    if (code == 0 && moves) code = exchange(comm, name, k, &all);
    /* Else a newcomer's piece would be counted for the dead one's, and lie at the buddy alone. */
    if (code == 0 && all.hands && !all.loses) code = tti_keep_again("tutti_recall", comm, find_version(name));
    if (code < 0) return code;
    k = find_version(name);
    if (k != NULL) show(k, comm, all.hands, w);
    return all.loses ? tti_keep_tell_lost(k, comm, name, all.orphaned) : 0;
}

static int compare_calls(tutti_comm *comm)
{
    tti_lock();
    const int code = tti_compare(comm, "tutti_recall");
    tti_unlock();
    return code;
}

int tutti_recall(tutti_comm *comm, const char *name, tutti_kept *pieces, int room, int *count)
{
    int code = check(comm, name, pieces, room, count);
    if (code == 0) code = compare_calls(comm);
    if (code < 0) return tti_answer(code);
    await_version(name);
    return tti_answer(recall(comm, name, &(wish){pieces, room, count}));
}
