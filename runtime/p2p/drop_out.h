/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that cannot do its part of a call of all ranks drops out: the others are told, and no such call is
 * possible on the communicator any more. How they are told only the collectives know, and windows stand below
 * them: they tell it here. Under the lock. */
#ifndef TTI_P2P_DROP_OUT_H
#define TTI_P2P_DROP_OUT_H

#include "runtime/comm/comm.h"

/* This rank drops out for `code`, a negative status, which is returned. */
int tti_drop_out(tutti_comm *comm, int code);
/* 0, or the status of a rank that has dropped out, with its detail. */
int tti_drop_out_check(const tutti_comm *comm);

typedef struct {
    int (*drop_out)(tutti_comm *comm, int code);
    int (*check)(const tutti_comm *comm);
} tti_dropping_out;
/* At init. */
void tti_drop_out_by(const tti_dropping_out *dropping_out);

#endif
