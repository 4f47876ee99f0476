/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes in the places of dead ranks: at the survivors, for the communicator that they make (regroup.h),
 * and at the new one. Under the lock. */
#ifndef TTI_AGREE_RESTORE_H
#define TTI_AGREE_RESTORE_H

#include "collectives/agree/regroup.h"
#include "pmi/pmi.h"

/* Asks for processes in the places of the failed; tti_regroup_go_on() follows, perhaps at once. */
void tti_restore_claim(tti_regroup *r);
/* Whether one of the processes that were got is known to have died. */
bool tti_restore_has_lost(const tti_regroup *r);
/* Tells those processes that they are members now. */
void tti_restore_welcome(const tti_regroup *r);
/* Whether a rank of the communicator that is being made is another process than before. */
bool tti_restore_is_new(const void *regroup, int rank);

/* In a process in reserve that was called, at init: waits until it is a member of a communicator, and gives
 * that. Takes the lock itself. */
int tti_restore_join(const tti_job *job, tutti_comm **comm);
/* Welcomes are heard from now on. */
void tti_restore_open(void);

#endif
