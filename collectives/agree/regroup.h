/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a communicator out of one with dead ranks: of those that are left, or of these and others in the
 * places of the dead. Under the lock. */
#ifndef TTI_AGREE_REGROUP_H
#define TTI_AGREE_REGROUP_H

#include "collectives/agree/agreements.h"
#include "runtime/request/request.h"

typedef struct {
    tutti_request base; /* first; of a blocking call only its state and status are used */
    tti_agree_call call;
    const char *name;
    tutti_comm *comm, **result;
    bool is_request;
    bool restores;
    bool prepared;     /* `made` is, or was tried to be, for the ranks in `failed` */
    tutti_comm *made;  /* the new one; NULL: this rank was not able to make it */
    int wrong;         /* why this rank was not able to */
    uint64_t context;  /* for the new one */
    uint64_t claimed;  /* the context of the last claim; 0: there was none (restore.c) */
    int *members;      /* of the restored one */
    tti_link link;     /* among those that wait for the launcher */
    uint64_t failed[]; /* a set */
} tti_regroup;

/* The members are known, or with a negative code are not: what the next agreement is to confirm. */
void tti_regroup_go_on(tti_regroup *r, int code);

#endif
