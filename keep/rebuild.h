/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of dead ranks, made of what is left of their groups. */
#ifndef TTI_KEEP_REBUILD_H
#define TTI_KEEP_REBUILD_H

#include "keep/store.h"

/* Whether the rank that kept it is in `comm`. */
static inline bool tti_keep_lives(const tti_keep *keep, const tutti_comm *comm, int rank)
{
    return tti_comm_rank_of(comm, keep->members[rank]) >= 0;
}
/* Whether its piece is not lost: it lives, or the one that holds a copy, or all others of the group. */
bool tti_keep_survives(const tti_keep *keep, const tutti_comm *comm, int rank);

/* Makes of each group of which one rank is dead that one's piece, at the next one in the group. All that kept
 * it and are in `comm` call it; `way` has the same ranks. Blocking, without the lock; whatever goes wrong
 * here, all messages that others wait for are sent. */
int tti_keep_rebuild(tti_keep *keep, const tutti_comm *comm, tutti_comm *way);

#endif
