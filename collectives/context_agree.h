/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement of the ranks of a communicator on a context for a new one. */
#ifndef TTI_COLLECTIVES_CONTEXT_AGREE_H
#define TTI_COLLECTIVES_CONTEXT_AGREE_H

#include <stdint.h>

#include "runtime/comm/comm.h"

/* Collective over `comm`: a context that is free on every rank, taken on this one for `made` (NULL: this rank
 * is in no new communicator). A rank that would be in one but has no memory for it is not `able`: then all
 * ranks get TUTTI_ERR_NO_MEMORY. Under the lock. */
int tti_context_agree(tutti_comm *comm, const char *call, bool able, tutti_comm *made);

#endif
