/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call, checked and ready to run, by its schedule: what the three forms (call.h) and the
 * library's own calls stand on. */
#ifndef TTI_CALLS_BY_SCHEDULE_H
#define TTI_CALLS_BY_SCHEDULE_H

#include "collectives/contract/contract.h"
#include "collectives/execute/run.h"

typedef struct tti_call {
    const char *name; /* of the public function, for error texts */
    tutti_comm *comm;
    enum tti_collective collective;
    tti_shape shape;
    tti_run_data data;
} tti_call;

/* A call of the library's own, for the function of that name: checks the arguments and fills in *call; 0 or
 * an error with its detail. Under no lock. */
static inline int tti_call_make(tti_call *call, const char *function, enum tti_collective collective,
                                const tti_arguments *arguments)
{
    return tti_collective_describe(collective)->check(call, function, arguments);
}

/* Executes a call of the library's own; `checked` is the result of the check, returned if it is an error.
 * Under the lock, as all that follows. */
int tti_call_by_schedule(int checked, const tti_call *call);

/* The same by its plan, which is made if there is none. `always`: so do all blocking calls of the user's that
 * are like this one. */
int tti_call_by_plan(const tti_call *call, bool always);
/* The same by this one, which may be thrown away while others make progress here. */
int tti_call_straight(const tti_call *call, tti_plan *plan);

/* A run of the call, to be started; of a request if `kind` is not NULL. */
int tti_call_open(const tti_call *call, const tti_request_kind *kind, tti_run **run);

#endif
