/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement of the ranks of a communicator on a context for a new one. */
#ifndef TTI_CALLS_CONTEXT_AGREE_H
#define TTI_CALLS_CONTEXT_AGREE_H

#include <stdint.h>

#include "runtime/comm/comm.h"

/* Collective over `comm`, in one small exchange: a context that no communicator of any of the ranks has had,
 * set in `made` (NULL: this rank is in no new communicator). A rank that would be in one but has no memory
 * for it is not `able`: then all ranks get TUTTI_ERR_NO_MEMORY; TUTTI_ERR_LIMIT if there are no more numbers.
 * Under the lock. */
int tti_context_agree(tutti_comm *comm, const char *call, bool able, tutti_comm *made);

#endif
