/* SPDX-License-Identifier: BSD-3-Clause */
/* What all ranks of a communicator on one node must know alike before they choose by it. Under the lock. */
#ifndef TTI_CALLS_ACQUAINT_H
#define TTI_CALLS_ACQUAINT_H

#include "collectives/calls/by_schedule.h"

/* In the first blocking call of a communicator whose ranks share windows: from here on all know whether they
 * share processors, and who is near whom. 0 or an error. */
int tti_acquaint(const tti_call *call);

/* What the ranks of `comm` know alike those of `part` know from its beginning, which is made out of some of
 * them: nonblocking calls alone would not find it out. 0 or an error, by which the part is lost. */
int tti_acquaint_part(tutti_comm *comm, const char *name, tutti_comm *part);

#endif
