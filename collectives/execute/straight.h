/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on shared memory, straight through (course.h), and by the engine from where that stops. Under the
 * lock. */
#ifndef TTI_EXECUTE_STRAIGHT_H
#define TTI_EXECUTE_STRAIGHT_H

#include "collectives/execute/course.h"

/* A blocking call by a plan that fits (tti_course_fits()), of which the caller has a reference; `call` is its
 * public name. */
int tti_straight(tutti_comm *comm, tti_plan *plan, const tti_run_data *data, const char *call);
/* Starts a request's run, as tti_run_start(): where its plan fits, the steps up to the first that would have
 * to wait are made at once, so that its posts come as early as a blocking call's. */
int tti_straight_start(tti_run *run);

#endif
