/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has which piece after deaths follows from who kept, who is whose buddy and who is left, which all
 * survivors know: they exchange nothing but the version, to find out a program that has gone out of step. */
#include <stdio.h>

#include "keep/store.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "tutti/fault.h"
#include "tutti/keep.h"

#define LOST_NAMED 16 /* ranks that an error names at most */

/* Whether all have kept the same, which all learn alike: who has the version, and who its complement, in all
 * ranks' words has all of its bits. */
static int compare_versions(tutti_comm *comm, const char *name, const tti_keep *k)
{
    const uint32_t version = k != NULL ? (uint32_t)k->version : 0;
    uint64_t flags = (uint64_t)~version << 32 | version;
    const int code = tutti_comm_agree(comm, &flags);
    if (code < 0) return code;
    const uint32_t all = (uint32_t)flags, none = (uint32_t)(flags >> 32);
    if ((all | none) == UINT32_MAX && all != 0) return 0;
    return tti_fail(
        TUTTI_ERR_STATE,
        "tutti_recall: not all ranks hold the same version of \"%s\" (this one: %u; 0 is nothing); all "
        "must have kept it, on the same communicator",
        name, version);
}

static bool lives(const tti_keep *k, const tutti_comm *comm, int rank)
{
    return tti_comm_rank_of(comm, k->members[rank]) >= 0;
}

static tutti_kept piece_of(const tti_keep *k, int rank, const tti_keep_room *room)
{
    return (tutti_kept){.rank = rank, .of = k->size, .bytes = room->bytes, .data = room->memory};
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

int tutti_recall(tutti_comm *comm, const char *name, tutti_kept *pieces, int room, int *count)
{
    int code = tti_check_open("tutti_recall");
    if (code == 0 &&
        (comm == NULL || name == NULL || count == NULL || (pieces == NULL && room > 0) || room < 0))
        code = tti_fail(TUTTI_ERR_ARG, "tutti_recall: an argument is NULL, or room is negative");
    if (code < 0) return tti_answer(code);
    const tti_keep *k = tti_keep_find_version(name);
    code = compare_versions(comm, name, k);
    if (code < 0) return tti_answer(code);
    const int place = (int)(k->version % 2);
    *count = 1;
    if (room > 0) pieces[0] = piece_of(k, k->rank, &k->mine[place]);
    if (k->ward != k->rank && !lives(k, comm, k->ward)) {
        if (room > 1) pieces[1] = piece_of(k, k->ward, &k->wards[place]);
        *count = 2;
    }
    return tti_answer(find_lost(k, comm));
}
