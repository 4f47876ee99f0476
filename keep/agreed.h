/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks agree on before anything is recalled, and what they are told where that is not to be. They
 * are blocking, without the lock. */
#ifndef TTI_KEEP_AGREED_H
#define TTI_KEEP_AGREED_H

#include <stdbool.h>

#include "keep/store.h"

/* The same at all ranks. */
typedef struct {
    bool hands;    /* newcomers have the places of all who died, and are given their pieces */
    bool rebuilds; /* pieces of dead ranks are to be made of what is left of their groups */
    bool loses;    /* some pieces are lost */
    bool orphaned; /* nobody who kept it is left, but some have pieces that they inherited */
    bool lacks;    /* some have nothing: newcomers that have yet to get theirs, or have forgotten it */
} tti_keep_agreed;

/* How many of `comm` are not of those who kept it. */
int tti_keep_count_new(const tti_keep *keep, const tutti_comm *comm);

/* Whether all hold the same version of the name, `keep` (NULL: nothing) here, and live. TUTTI_ERR_STATE,
 * TUTTI_ERR_PEER_FAILED, or TUTTI_ERR_LOST where all are newcomers: at all ranks alike. */
int tti_keep_compare(tutti_comm *comm, const char *name, const tti_keep *keep, tti_keep_agreed *all);
/* TUTTI_ERR_STATE, where not all hold the same. */
int tti_keep_tell_differ(const char *name, const tti_keep *keep);
/* TUTTI_ERR_LOST, of pieces that are; `orphaned` as agreed. */
int tti_keep_tell_lost(const tti_keep *keep, const tutti_comm *comm, const char *name, bool orphaned);

#endif
