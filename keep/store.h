/* SPDX-License-Identifier: BSD-3-Clause */
/* What this rank holds: for each name the ranks that kept it, and of its own piece and of the ward's, whose
 * buddy it is, the last version and room for the next. Where groups keep the exclusive or of their pieces
 * (parity.h) there is no ward, and its room has this rank's part of that. All under the lock. */
#ifndef TTI_KEEP_STORE_H
#define TTI_KEEP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keep/groups.h"
#include "keep/room.h"
#include "runtime/comm/comm.h"
#include "tutti/keep.h"

#define TTI_KEEP_NAME 64 /* with its end */
/* A version's stamp is made of the communicator that keeps it and its number there: it is the same at all
 * its ranks, whatever else each has kept or forgotten under the name, and other versions have others, but for
 * a chance of 1 to 2 to the power of these bits. 0: there is none. */
#define TTI_KEEP_STAMP_BITS 29

typedef struct tti_keep tti_keep;
struct tti_keep {
    char name[TTI_KEEP_NAME];
    uint64_t context;       /* of the program's communicator */
    int rank, size;         /* in it */
    void *lists;            /* one block, in which members, buddy, groups and bytes_of lie */
    int *members;           /* [size] job ranks; NULL: inherited */
    int *buddy;             /* [size] of each rank; in a group the next one */
    int giver;              /* of what is inherited: the job rank from which it came, which has it, too */
    tti_keep_groups groups; /* if there are any */
    size_t *bytes_of[2];    /* [others] the piece's size of the one that is 1, 2, ... places before */
    tti_keep_room *maps[2]; /* [others] these pieces, of those on the node; NULL: there are copies */
    int others;             /* how many the rank's group has; 0: there are copies */
    int ward;               /* whose buddy this rank is; itself: it has none */
    bool busy;              /* the next version is being made */
    uint64_t version;       /* the last that all have, counted here; 0: none yet */
    uint64_t stamp;         /* of that one */
    tti_keep_room mine[2], wards[2]; /* version v is in [v % 2] */
    int rebuilt_of;                  /* the dead rank of whose piece this is; -1: there is none */
    tti_keep_room rebuilt;
    tti_keep *next;
};

/* What is kept under the name, by the ranks of that communicator / in whatever communicator, at least once.
 */
tti_keep *tti_keep_find(const char *name, const tutti_comm *comm);
tti_keep *tti_keep_find_version(const char *name);
/* Another one that is kept under the same name. */
tti_keep *tti_keep_find_former(const tti_keep *keep);
/* The one under the name of which a version is being made; NULL: none is. */
tti_keep *tti_keep_find_busy(const char *name);
/* A new one, in the list. */
int tti_keep_make(const char *name, const tutti_comm *comm, tti_keep **made);
/* The same for a newcomer: it has the piece of the rank in whose place it is, from rank `giver` of `comm`,
 * and knows nothing of the others. */
int tti_keep_inherit(const char *name, const tutti_comm *comm, int giver, uint64_t stamp, tti_keep **made);
static inline bool tti_keep_is_inherited(const tti_keep *keep)
{
    return keep->members == NULL;
}
/* Takes it off the list and frees it. */
void tti_keep_free(tti_keep *keep);
/* The same for all; at closing. */
void tti_keep_close_all(void);
/* Makes room for `bytes` of this rank's, shared with whoever holds it, or a part of it, besides and is on the
 * node. The rest of what was there is lost. */
int tti_keep_room_for_own(const tti_keep *keep, tti_keep_room *room, size_t bytes);

#endif
