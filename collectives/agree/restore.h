/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes in the places of dead ranks, at the survivors, for the communicator that these make (regroup.c).
 * Under the lock. */
#ifndef TTI_AGREE_RESTORE_H
#define TTI_AGREE_RESTORE_H

#include "collectives/agree/agree_types.h"
#include "runtime/base/list.h"
#include "runtime/comm/comm.h"

/* Of a communicator that is made after deaths: for the call, and for its new processes alike. */
typedef struct {
    const char *name;       /* of the call */
    tutti_comm *comm;       /* that has dead ranks */
    const uint64_t *failed; /* these: a set, the call's */
    uint64_t context;       /* for the new communicator */
} tti_succession;

typedef struct tti_restore tti_restore;
struct tti_restore {
    const tti_succession *of;
    /* The processes of all ranks are known, or with a negative code are not. */
    void (*go_on)(tti_restore *restore, int code);
    void (*given_back)(tti_restore *restore); /* what was claimed is */
    bool returns;                             /* it waits to give back what it has claimed */
    uint64_t claimed; /* the context of the last claim, by others if not by this rank; 0: there was none */
    int *members;     /* of the new communicator; NULL: not known */
    tti_link link;    /* among those that wait for the launcher */
};

/* Asks for processes in the places of the failed, for a communicator of that context; `go_on` follows,
 * perhaps at once. */
void tti_restore_claim(tti_restore *restore);
/* There will be no such communicator, at no rank: what was claimed is free for others again. `given_back`
 * follows, perhaps at once. */
void tti_restore_give_back(tti_restore *restore);
/* Frees what it holds; it is not waiting. */
void tti_restore_close(tti_restore *restore);
/* Whether one of the processes that were got is known to have died. */
bool tti_restore_has_lost(const tti_restore *restore);
/* Tells those processes that they are members now. */
void tti_restore_welcome(const tti_restore *restore);
/* Whether a rank of the communicator that is being made is another process than before. */
bool tti_restore_is_new(const void *restore, int rank);

#endif
