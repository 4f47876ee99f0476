/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a call: which algorithm, on which windows, and its schedules. Under the lock. */
#ifndef TTI_EXECUTE_PLANNING_H
#define TTI_EXECUTE_PLANNING_H

#include "collectives/execute/plan.h"
#include "runtime/comm/comm.h"

/* The one that is kept of an equal call on `comm`, or a new one; shape.radix, .chunk and .leaders are chosen
 * here. The caller gets a reference. */
int tti_plan_get(tutti_comm *comm, enum tti_collective collective, const tti_shape *shape, tti_plan **plan);
/* The plan of the last call on `comm` if that was such a call, with no reference; else NULL. */
tti_plan *tti_plan_last(const tutti_comm *comm, enum tti_collective collective, const tti_shape *shape);

#endif
