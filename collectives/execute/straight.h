/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking calls on shared memory, straight through. Under the lock. */
#ifndef TTI_EXECUTE_STRAIGHT_H
#define TTI_EXECUTE_STRAIGHT_H

#include "collectives/execute/run.h"

/* Whether a plan's steps can be made one after the other: they pass no messages, nor slots for these. */
static inline bool tti_straight_fits(const tti_plan *plan)
{
    return plan->windows != NULL && plan->schedule->messages == 0 && plan->schedule->need_count == 0 &&
           tti_plan_reaching(plan)->messages == 0;
}
/* A blocking call by such a plan, of which the caller has a reference; `call` is its public name. */
int tti_straight(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const char *call);

#endif
