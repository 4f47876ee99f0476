/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement of the ranks of a communicator on a context for a new one. */
#ifndef TTI_COLLECTIVES_CONTEXT_AGREE_H
#define TTI_COLLECTIVES_CONTEXT_AGREE_H

#include <stdint.h>

#include "runtime/comm/comm.h"

/* Collective over `comm`; *context is free on every rank and, if `take`, taken on this one. Under the lock.
 */
int tti_context_agree(tutti_comm *comm, const char *call, bool take, uint32_t *context);

#endif
