/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has which piece after deaths follows from who kept, who is whose buddy and who is left, which all who
 * kept know: they exchange nothing but the version, to find out a program that has gone out of step. Where
 * newcomers are in the places of the dead they get the pieces of these from the buddies:
 *
 *     all          agree on the version, and on whether everybody is at the place where it kept
 *     buddy        head: bytes; data    ---->   newcomer
 *     all          agree that this went well, and keep all pieces anew */
#include <stdio.h>
#include <string.h>

#include "keep/keeping.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/progress.h"
#include "tutti/comm.h"
#include "tutti/fault.h"
#include "tutti/keep.h"
#include "tutti/p2p.h"
#include "tutti/request.h"

#define LOST_NAMED 16 /* ranks that an error names at most */
enum { TAG_HEAD, TAG_DATA };

/* What is agreed on first: the version and its complement, which tell by their ands whether all have the
 * same; and more. A newcomer, which has kept nothing, has all bits. */
#define VERSION_BITS 31
#define VERSION_MASK ((UINT64_C(1) << VERSION_BITS) - 1)
#define IN_PLACE (UINT64_C(1) << 62)
#define NONE_LOST (UINT64_C(1) << 63)

typedef struct {
    uint64_t version, bytes;
    uint64_t has_none; /* it is lost */
} piece_head;

static bool lives(const tti_keep *k, const tutti_comm *comm, int rank)
{
    return tti_comm_rank_of(comm, k->members[rank]) >= 0;
}

/* Whether all that live have the ranks that they had, and the places of the dead are taken. */
static bool is_in_place(const tti_keep *k, const tutti_comm *comm)
{
    if (k->size != comm->size) return false;
    for (int r = 0; r < k->size; r++)
        if (lives(k, comm, r) && tti_comm_world(comm, r) != k->members[r]) return false;
    return true;
}

static bool is_new(const tti_keep *k, const tutti_comm *comm, int rank)
{
    return tti_comm_world(comm, rank) != k->members[rank];
}

static int find_lost(const tti_keep *k, const tutti_comm *comm)
{
    char names[LOST_NAMED * 12 + 32] = "";
    int lost = 0;
    size_t used = 0;
    for (int r = 0; r < k->size; r++) {
        if (lives(k, comm, r) || lives(k, comm, k->buddy[r])) continue;
        if (lost++ < LOST_NAMED)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d", lost > 1 ? ", " : "", r);
    }
    if (lost > LOST_NAMED) snprintf(names + used, sizeof names - used, " and %d more", lost - LOST_NAMED);
    if (lost == 0) return 0;
    return tti_fail(
        TUTTI_ERR_LOST,
        "tutti_recall: of \"%s\" the pieces of ranks %s of %d are lost: they have died, and so have "
        "their buddies",
        k->name, names, k->size);
}

/* NULL: nothing is kept here. */
static uint64_t say(const tutti_comm *comm, const tti_keep *k)
{
    if (k == NULL && tutti_is_newcomer()) return UINT64_MAX;
    const uint64_t version = k != NULL ? k->version & VERSION_MASK : 0;
    uint64_t said = version | (~version & VERSION_MASK) << VERSION_BITS;
    if (k == NULL || tti_keep_is_inherited(k)) return said | IN_PLACE | NONE_LOST;
    if (is_in_place(k, comm)) said |= IN_PLACE;
    return find_lost(k, comm) == 0 ? said | NONE_LOST : said;
}

/* Whether all have kept the same, which all learn alike. */
static int compare(tutti_comm *comm, const char *name, const tti_keep *k, uint64_t *agreed)
{
    *agreed = say(comm, k);
    const int code = tutti_comm_agree(comm, agreed);
    if (code < 0) return code;
    const uint64_t all = *agreed & VERSION_MASK, none = *agreed >> VERSION_BITS & VERSION_MASK;
    if ((all | none) == VERSION_MASK && all != 0 && (all & none) == 0) return 0;
    return tti_fail(
        TUTTI_ERR_STATE,
        "tutti_recall: not all ranks hold the same version of \"%s\" (this one: %llu; 0 is nothing); all "
        "must have kept it, on the same communicator",
        name, (unsigned long long)(k != NULL ? k->version : 0));
}

static tutti_kept piece_of(const tti_keep *k, int rank, const tti_keep_room *room)
{
    return (tutti_kept){.rank = rank, .of = k->size, .bytes = room->bytes, .data = room->memory};
}

/* By whom a newcomer hears of its piece: the dead one's buddy, or of a lost one the first that lives. */
static int teller(const tti_keep *k, const tutti_comm *comm, int rank)
{
    int from = k->buddy[rank];
    if (lives(k, comm, from)) return from;
    for (from = 0; !lives(k, comm, from); from++)
        continue;
    return from;
}

static int send_piece(const tti_keep *k, tutti_comm *way, int to)
{
    const tti_keep_room *room = &k->wards[k->version % 2];
    const piece_head head = {k->version, room->bytes, k->ward != to};
    int code = tutti_send(way, &head, sizeof head, to, TAG_HEAD);
    if (code == 0 && !head.has_none) code = tutti_send(way, room->memory, room->bytes, to, TAG_DATA);
    return code;
}

static int hand_out(const tti_keep *k, const tutti_comm *comm, tutti_comm *way)
{
    int code = 0;
    for (int r = 0; r < k->size; r++) {
        if (!is_new(k, comm, r) || teller(k, comm, r) != k->rank) continue;
        const int sent = send_piece(k, way, r);
        if (code == 0) code = sent;
    }
    return code;
}

/* Room for what it inherits. */
static int make_heir(const char *name, const tutti_comm *comm, const piece_head *head, tti_keep **made)
{
    tti_lock();
    int code = tti_keep_inherit(name, comm, head->version, made);
    if (code == 0) code = tti_keep_room_for_ward(&(*made)->mine[head->version % 2], (size_t)head->bytes);
    tti_unlock();
    return code;
}

/* In the place of what it inherited before. */
static int inherit(const char *name, const tutti_comm *comm, tutti_comm *way)
{
    piece_head head;
    tutti_status status;
    tti_keep *k = NULL, *former = tti_keep_find_version(name);
    int code = tutti_recv(way, &head, sizeof head, TUTTI_ANY_SOURCE, TAG_HEAD, &status);
    if (code < 0 || head.has_none) return code;
    code = make_heir(name, comm, &head, &k);
    tti_keep_room none = {0}, *room = code == 0 ? &k->mine[head.version % 2] : &none;
    const int taken = tutti_recv(way, room->memory, room->bytes, status.source, TAG_DATA, NULL);
    if (code == 0) code = taken;
    tti_lock();
    if (code == 0 && former != NULL) tti_keep_free(former);
    if (code < 0 && k != NULL) tti_keep_free(k);
    tti_unlock();
    return code;
}

static int agree_on(tutti_comm *comm, int code, const char *name)
{
    uint64_t flags = code == 0;
    const int agreed = tutti_comm_agree(comm, &flags);
    if (agreed < 0 || flags != 0) return agreed;
    if (code < 0) return code;
    return tti_fail(TUTTI_ERR_NO_MEMORY, "tutti_recall: \"%s\" could not be given to all newcomers", name);
}

/* All have a way of their own for it, or nobody begins. */
static int exchange(tutti_comm *comm, const char *name, const tti_keep *k)
{
    const bool gives = k != NULL && !tti_keep_is_inherited(k);
    tutti_comm *way = NULL;
    int code = agree_on(comm, tutti_comm_dup(comm, &way), name);
    if (code == 0) code = agree_on(comm, gives ? hand_out(k, comm, way) : inherit(name, comm, way), name);
    const int freed = way != NULL ? tutti_comm_free(&way) : 0;
    return code < 0 ? code : freed;
}

/* True if somebody else has taken a place; each knows it for itself. */
static bool has_newcomers(const tti_keep *k, const tutti_comm *comm)
{
    if (k == NULL || tti_keep_is_inherited(k)) return true;
    for (int r = 0; r < k->size; r++)
        if (is_new(k, comm, r)) return true;
    return false;
}

static int tell_lost(const tti_keep *k, const tutti_comm *comm, uint64_t agreed, const char *name)
{
    if ((agreed & NONE_LOST) != 0) return 0;
    const int code = k != NULL && !tti_keep_is_inherited(k) ? find_lost(k, comm) : 0;
    if (code < 0) return code;
    return tti_fail(TUTTI_ERR_LOST,
                    "tutti_recall: of \"%s\" pieces of %s ranks are lost: they have died, and so have their "
                    "buddies; ranks that kept it name them",
                    name, k == NULL ? "this rank and perhaps of other" : "other");
}

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

int tutti_recall(tutti_comm *comm, const char *name, tutti_kept *pieces, int room, int *count)
{
    uint64_t agreed;
    int code = check(comm, name, pieces, room, count);
    if (code < 0) return tti_answer(code);
    await_version(name);
    const tti_keep *k = tti_keep_find_version(name);
    code = compare(comm, name, k, &agreed);
    const bool hand = code == 0 && (agreed & IN_PLACE) != 0 && has_newcomers(k, comm);
    if (hand) code = exchange(comm, name, k);
    /* Else a newcomer's piece would be counted for the dead one's, and lie at the buddy alone. */
    if (code == 0 && hand && (agreed & NONE_LOST) != 0)
        code = tti_keep_again("tutti_recall", comm, tti_keep_find_version(name));
    if (code < 0) return tti_answer(code);
    k = tti_keep_find_version(name);
    *count = 0;
    if (k == NULL) return tti_answer(tell_lost(k, comm, agreed, name));
    const int place = (int)(k->version % 2);
    *count = 1;
    if (room > 0) pieces[0] = piece_of(k, k->rank, &k->mine[place]);
    if (!hand && k->ward != k->rank && !lives(k, comm, k->ward)) {
        if (room > 1) pieces[1] = piece_of(k, k->ward, &k->wards[place]);
        *count = 2;
    }
    return tti_answer(tell_lost(k, comm, agreed, name));
}
