/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call, checked and ready to run in one of the three forms. */
#ifndef TTI_COLLECTIVES_CALL_H
#define TTI_COLLECTIVES_CALL_H

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

/* Executes a call; `checked` is the result of the check, returned if it is an error. */
int tti_call_block(int checked, const tti_call *call);
/* The same for a caller that has the lock. */
int tti_call_block_locked(int checked, const tti_call *call);

/* The same by a schedule, also where there is a way without. */
int tti_call_by_schedule(int checked, const tti_call *call);

/* A run of the call, to be started; of a request if `kind` is not NULL. */
int tti_call_open(const tti_call *call, const tti_request_kind *kind, tti_run **run);

/* Starts it (or, where the kind has a start, only makes the persistent request). */
int tti_call_request(int checked, const tti_call *call, const tti_request_kind *kind,
                     tutti_request **request);

/* The functions of the kinds. */
int tti_call_start(tutti_request *request);
void tti_call_release(tutti_request *request);

#endif
