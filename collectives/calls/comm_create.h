/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of listed members. */
#ifndef TTI_CALLS_COMM_CREATE_H
#define TTI_CALLS_COMM_CREATE_H

#include <stdbool.h>

#include "runtime/comm/comm.h"

/* What a rank of `comm` asks for. */
typedef struct {
    const int *members; /* ranks of `comm` */
    int count;
    const tti_grid *grid;       /* that they form, or NULL */
    const tti_stencil *stencil; /* on it, or NULL: the next ranks are neighbours */
    bool of_all;                /* all ranks must ask for the same, also those that are no members */
    int wrong;                  /* the error of the caller's arguments, which asks for nothing then; or 0 */
} tti_creation;

/* As tutti_comm_create(), for the function of that name: each member must ask for the same. The members are
 * looked at here no further. Under the lock. */
int tti_comm_create(const char *name, tutti_comm *comm, const tti_creation *asked, tutti_comm **made);

#endif
