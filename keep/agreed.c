/* SPDX-License-Identifier: BSD-3-Clause */
#include "keep/agreed.h"

#include <stdio.h>

#include "keep/rebuild.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "tutti/comm.h"
#include "tutti/fault.h"

#define LOST_NAMED 16 /* ranks that an error names at most */

/* What is agreed on: the version's stamp and its complement, which tell by their ands whether all have the
 * same; and more, which is so unless a rank says otherwise. A newcomer, which has kept nothing, has all bits
 * of both. Who lives and who is new all who kept it see alike, and nobody else sees it. */
#define STAMP_MASK ((UINT64_C(1) << TTI_KEEP_STAMP_BITS) - 1)
#define STAMPS (STAMP_MASK << TTI_KEEP_STAMP_BITS | STAMP_MASK)
#define NONE_DEAD (UINT64_C(1) << 58)
#define NONE_TO_REBUILD (UINT64_C(1) << 59)
#define NOBODY_HANDS (UINT64_C(1) << 60)
#define NONE_LOST (UINT64_C(1) << 61)
#define NOBODY_KEPT (UINT64_C(1) << 62)
#define NONE_LACKS (UINT64_C(1) << 63)
_Static_assert(2 * TTI_KEEP_STAMP_BITS <= 58, "all of it has room");

/* Whether all that live have the ranks that they had, and the places of the dead are taken. */
static bool is_in_place(const tti_keep *k, const tutti_comm *comm)
{
    if (k->size != comm->size) return false;
    for (int r = 0; r < k->size; r++)
        if (tti_keep_lives(k, comm, r) && tti_comm_job_rank(comm, r) != k->members[r]) return false;
    return true;
}

static int find_lost(const tti_keep *k, const tutti_comm *comm)
{
    char names[LOST_NAMED * 12 + 32] = "";
    int lost = 0;
    size_t used = 0;
    for (int r = 0; r < k->size; r++) {
        if (tti_keep_survives(k, comm, r)) continue;
        if (lost++ < LOST_NAMED)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d", lost > 1 ? ", " : "", r);
    }
    if (lost > LOST_NAMED) snprintf(names + used, sizeof names - used, " and %d more", lost - LOST_NAMED);
    if (lost == 0) return 0;
    return tti_fail(
        TUTTI_ERR_LOST,
        "tutti_recall: of \"%s\" the pieces of ranks %s of %d are lost: they have died, and so have %s",
        k->name, names, k->size, k->others > 0 ? "others of their groups" : "their buddies");
}

static bool needs_rebuilding(const tti_keep *k, const tutti_comm *comm)
{
    for (int r = 0; r < k->size && k->others > 0; r++)
        if (!tti_keep_lives(k, comm, r)) return true;
    return false;
}

int tti_keep_count_new(const tti_keep *k, const tutti_comm *comm)
{
    int count = comm->size;
    for (int r = 0; r < k->size; r++)
        count -= tti_keep_lives(k, comm, r);
    return count;
}

/* Of the version here, or of nothing. */
static uint64_t say_of(const tutti_comm *comm, const tti_keep *k)
{
    if (k == NULL && tutti_is_newcomer()) return ~(NONE_DEAD | NONE_LACKS);
    const uint64_t stamp = k != NULL ? k->stamp : 0;
    uint64_t said = ~(STAMPS | NONE_DEAD) | stamp | (~stamp & STAMP_MASK) << TTI_KEEP_STAMP_BITS;
    if (k == NULL || tti_keep_is_inherited(k)) return said;
    said &= ~NOBODY_KEPT;
    if (needs_rebuilding(k, comm)) said &= ~NONE_TO_REBUILD;
    if (is_in_place(k, comm) && tti_keep_count_new(k, comm) > 0) said &= ~NOBODY_HANDS;
    return find_lost(k, comm) == 0 ? said : said & ~NONE_LOST;
}

/* Whether this rank knows of a dead one in the communicator, and the names of all such. */
static bool name_dead(const tutti_comm *comm, char names[TTI_LOST_NAMES])
{
    tti_lock();
    const bool any = tti_lost_member(comm) >= 0;
    if (any) tti_lost_name_failed(comm, names);
    tti_unlock();
    return any;
}

static int tell_dead(const tutti_comm *comm, const char *name)
{
    char names[TTI_LOST_NAMES];
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "tutti_recall: the communicator has lost %s: make one of those that live "
                    "(tutti_comm_shrink() or tutti_comm_restore()), and recall \"%s\" on that",
                    name_dead(comm, names) ? names : "a rank, as others know", name);
}

int tti_keep_tell_differ(const char *name, const tti_keep *k)
{
    char here[64] = "nothing";
    if (k != NULL && tti_keep_is_inherited(k)) snprintf(here, sizeof here, "what it was given by a recall");
    if (k != NULL && !tti_keep_is_inherited(k))
        snprintf(here, sizeof here, "what it has kept with %d ranks", k->size);
    return tti_fail(TUTTI_ERR_STATE,
                    "tutti_recall: not all ranks hold the same version of \"%s\" (this one: %s): some have "
                    "kept none, or have forgotten it, or have kept another one since, on another "
                    "communicator; all must keep it anew, on one",
                    name, here);
}

int tti_keep_compare(tutti_comm *comm, const char *name, const tti_keep *k, tti_keep_agreed *all)
{
    char names[TTI_LOST_NAMES];
    uint64_t agreed = say_of(comm, k) | (name_dead(comm, names) ? 0 : NONE_DEAD);
    const int code = tutti_comm_agree(comm, &agreed);
    if (code < 0) return code;
    *all = (tti_keep_agreed){.hands = (agreed & NOBODY_HANDS) == 0,
                             .rebuilds = (agreed & NONE_TO_REBUILD) == 0,
                             .loses = (agreed & NONE_LOST) == 0 || (agreed & NOBODY_KEPT) != 0,
                             .orphaned = (agreed & NOBODY_KEPT) != 0,
                             .lacks = (agreed & NONE_LACKS) == 0};
    if ((agreed & NONE_DEAD) == 0) return tell_dead(comm, name);
    const uint64_t stamp = agreed & STAMP_MASK, other = agreed >> TTI_KEEP_STAMP_BITS & STAMP_MASK;
    if ((stamp | other) == STAMP_MASK && stamp != 0 && (stamp & other) == 0) return 0;
    if ((stamp & other) != STAMP_MASK) return tti_keep_tell_differ(name, k);
    return tti_fail(TUTTI_ERR_LOST,
                    "tutti_recall: nothing is left of \"%s\": whoever kept it has died, and all %d ranks "
                    "are newcomers that were given nothing; begin anew",
                    name, comm->size);
}

int tti_keep_tell_lost(const tti_keep *k, const tutti_comm *comm, const char *name, bool orphaned)
{
    if (orphaned)
        return tti_fail(
            TUTTI_ERR_LOST,
            "tutti_recall: of \"%s\" pieces are lost: whoever kept it has died, and newcomers have "
            "of it what they were given before that, this one %s",
            name, k != NULL ? "its piece" : "nothing");
    const int code = k != NULL && !tti_keep_is_inherited(k) ? find_lost(k, comm) : 0;
    if (code < 0) return code;
    return tti_fail(TUTTI_ERR_LOST,
                    "tutti_recall: of \"%s\" pieces of %s ranks are lost: they have died, and so have their "
                    "buddies; ranks that kept it name them",
                    name, k == NULL ? "this rank and perhaps of other" : "other");
}
