/* SPDX-License-Identifier: BSD-3-Clause */
/* A process in reserve that takes the place of a dead rank: its side of restore.h. */
#ifndef TTI_AGREE_RESTORE_JOIN_H
#define TTI_AGREE_RESTORE_JOIN_H

#include "pmi/pmi.h"
#include "runtime/comm/comm.h"

/* In such a process, at init: waits until it is a member of a communicator, and gives that. Takes the lock
 * itself. */
int tti_restore_join(const tti_job *job, tutti_comm **comm);
/* Welcomes are heard from now on. */
void tti_restore_join_open(void);

#endif
