/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls: before a collective runs, or another call of all ranks does anything, they exchange
 * which call they make, by an allgather over messages, and each compares. Where ranks have parts that the
 * others do not know, each then tells each other how many bytes it sends to it, and all of them what they
 * found. Ranks that differ get TUTTI_ERR_ARG, all of them and with the same words, and the collective does
 * not run; the communicator stays usable. A rank that makes no call at all is waited for. Under the lock. */
#ifndef TTI_CALLS_VERIFY_H
#define TTI_CALLS_VERIFY_H

#include "collectives/calls/by_schedule.h"

/* Before a blocking call: returns when all ranks have come, 0 or the error. */
int tti_verify_call(const tti_call *call);
/* The same before a request's run. */
tti_run_compare_fn tti_verify_run;
/* At init: what is no collective has its calls compared here, too (runtime/p2p/compare.h). */
void tti_verify_open(void);

#endif
