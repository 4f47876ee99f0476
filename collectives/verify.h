/* SPDX-License-Identifier: BSD-3-Clause */
/* TUTTI_VERIFY=calls: before a collective runs, all ranks exchange which call they make, by an allgather of
 * records over messages, and each compares. Where ranks have parts that the others do not know, each then
 * tells each other how many bytes it sends to it, and all of them what they found. Ranks that differ get
 * TUTTI_ERR_ARG, all of them and with the same words, and the collective does not run; the communicator stays
 * usable. A rank that makes no call at all is waited for. Under the lock. */
#ifndef TTI_COLLECTIVES_VERIFY_H
#define TTI_COLLECTIVES_VERIFY_H

#include "collectives/call.h"

bool tti_verify_wanted(const tutti_comm *comm);
/* Before a blocking call: returns when all ranks have come, 0 or the error. */
int tti_verify_call(const tti_call *call);
/* So many numbers of collectives are taken for that, whether or not all are needed: ranks whose calls differ
 * stay in step. */
#define TTI_VERIFY_STAGES 3
/* Before a request's run, which takes the number after those: it is told by tti_run_verified(), perhaps
 * before this returns. An error means that it is not. */
int tti_verify_run(tti_run *run, const tti_call_record *mine, const tti_shape *shape);

#endif
