/* SPDX-License-Identifier: BSD-3-Clause */
/* clang-format off */
/* Keeping. Version v of each rank, in the room that version v - 2 had:
 *
 *     rank                         buddy
 *     copy into own room
 *     head: bytes, memory  ---->   map it, or
 *     [data]               ---->   receive it
 *     agree: have I my own, and has my ward's come?
 *
 * A rank that dies while it copies cannot vote against the version; but then its head does not come, and its
 * buddy does. All survivors learn the same from the agreement: the version counts, or the one before does. */
/* clang-format on */
#include <string.h>

#include "keep/store.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "tutti/collectives.h"
#include "tutti/comm.h"
#include "tutti/fault.h"
#include "tutti/keep.h"
#include "tutti/p2p.h"
#include "tutti/request.h"

enum { TAG_HEAD, TAG_DATA };
/* What is agreed on. */
#define ALL_HAVE 1U
#define NO_MEMORY_SHORT 2U

typedef struct {
    uint64_t version, bytes;
    uint64_t id;       /* of the memory that holds the piece; 0: it comes as a message */
    uint64_t has_none; /* the rank had no memory for it */
} piece_head;

static int check(const char *call, const void *first, const void *second)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    return first != NULL && second != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: an argument is NULL", call);
}

/* The receiver takes the message in any case, or the next one would be taken for it. */
static int take_data(tti_keep *k, tti_keep_room *room, const piece_head *head)
{
    char none;
    const int code = tti_keep_room_for_ward(room, (size_t)head->bytes);
    const int taken = tutti_recv(k->comm, code == 0 ? room->memory : &none, code == 0 ? room->bytes : 0,
                                 k->ward, TAG_DATA, NULL);
    return code < 0 ? code : taken;
}

static int take_piece(tti_keep *k, tti_keep_room *room)
{
    piece_head head;
    const int code = tutti_recv(k->comm, &head, sizeof head, k->ward, TAG_HEAD, NULL);
    if (code < 0) return code;
    if (head.has_none) return TUTTI_ERR_NO_MEMORY;
    if (head.id != 0) return tti_keep_map_ward(k, room, head.id, (size_t)head.bytes);
    return take_data(k, room, &head);
}

/* Sends to the buddy and takes from the ward; whether the buddy gets it is no matter, for this rank lives. */
static int exchange(tti_keep *k, const tti_keep_room *own, bool have, tti_keep_room *wards)
{
    const piece_head head = {k->version + 1, own->bytes, have ? own->id : 0, !have};
    const int buddy = k->buddy[k->rank];
    tutti_request *sends[2] = {NULL, NULL};
    int code = tutti_isend(k->comm, &head, sizeof head, buddy, TAG_HEAD, &sends[0]);
    if (code == 0 && have && own->id == 0)
        code = tutti_isend(k->comm, own->memory, own->bytes, buddy, TAG_DATA, &sends[1]);
    const int taken = take_piece(k, wards);
    for (int i = 0; i < 2; i++)
        if (tutti_wait(&sends[i], NULL) < 0) continue; /* the buddy is dead */
    return taken < 0 || code == 0 || code == TUTTI_ERR_PEER_FAILED ? taken : code;
}

static int conclude(const char *name, int agreed, uint64_t flags)
{
    if (agreed < 0) return agreed;
    if ((flags & ALL_HAVE) != 0) return 0;
    if ((flags & NO_MEMORY_SHORT) == 0)
        return tti_fail(TUTTI_ERR_NO_MEMORY,
                        "tutti_keep: a rank has no memory for \"%s\"; the version before is kept", name);
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "tutti_keep: a rank died while \"%s\" was kept; the version before is", name);
}

static int keep_next(tti_keep *k, tutti_comm *comm, const void *buffer, size_t bytes)
{
    const int place = (k->version + 1) % 2;
    tti_keep_room *own = &k->mine[place];
    int code = tti_keep_room_for_own(k, own, bytes);
    const bool have = code == 0;
    if (have && bytes > 0) memcpy(own->memory, buffer, bytes);
    if (k->size > 1) {
        const int taken = exchange(k, own, have, &k->wards[place]);
        if (code == 0) code = taken;
    }
    uint64_t flags = (code == 0 ? ALL_HAVE : 0) | (code == TUTTI_ERR_NO_MEMORY ? 0 : NO_MEMORY_SHORT);
    uint64_t agreed_on = flags & ~(uint64_t)ALL_HAVE;
    const int agreed = tutti_comm_agree(comm, &flags);
    if (agreed == 0 || agreed == TUTTI_ERR_PEER_FAILED) agreed_on = flags;
    if ((agreed_on & ALL_HAVE) != 0) k->version++;
    return conclude(k->name, agreed, agreed_on);
}

/* The communicator for our messages: all ranks have it, or none goes on. */
static int found(tutti_comm *comm, const char *name, tti_keep **made)
{
    tti_keep *k = NULL;
    tti_lock();
    int code = tti_keep_make(name, comm, &k);
    tti_unlock();
    tutti_comm *own = NULL;
    const int dup = tutti_comm_dup(comm, &own);
    if (k != NULL) k->comm = own;
    if (code == 0) code = dup;
    uint64_t flags = (code == 0 ? ALL_HAVE : 0) | (code == TUTTI_ERR_NO_MEMORY ? 0 : NO_MEMORY_SHORT);
    const int agreed = tutti_comm_agree(comm, &flags);
    if ((agreed == 0 || agreed == TUTTI_ERR_PEER_FAILED) && (flags & ALL_HAVE) != 0) {
        *made = k;
        return 0;
    }
    if (k != NULL)
        tti_keep_free(k);
    else if (own != NULL && tutti_comm_free(&own) < 0)
        return agreed;
    return conclude(name, agreed, flags & ~(uint64_t)ALL_HAVE);
}

int tutti_keep(tutti_comm *comm, const char *name, const void *buffer, size_t bytes)
{
    int code = check("tutti_keep", comm, name);
    if (code == 0 && buffer == NULL && bytes > 0)
        code = tti_fail(TUTTI_ERR_ARG, "tutti_keep: buffer is NULL");
    if (code == 0 && (name[0] == '\0' || strlen(name) >= TTI_KEEP_NAME))
        code = tti_fail(TUTTI_ERR_ARG, "tutti_keep: a name has 1 to %d characters, \"%s\" has %zu",
                        TTI_KEEP_NAME - 1, name, strlen(name));
    if (code < 0) return tti_answer(code);
    tti_keep *former = tti_keep_find_version(name), *k = tti_keep_find(name, comm);
    if (k == NULL) code = found(comm, name, &k);
    if (code < 0) return tti_answer(code);
    code = keep_next(k, comm, buffer, bytes);
    if (k->version == 0)
        tti_keep_free(k);
    else if (former != NULL && former != k)
        tti_keep_free(former);
    return tti_answer(code);
}

int tutti_forget(const char *name)
{
    const int code = check("tutti_forget", name, name);
    if (code < 0) return tti_answer(code);
    tti_keep *k = tti_keep_find_version(name);
    if (k != NULL) tti_keep_free(k);
    return 0;
}
