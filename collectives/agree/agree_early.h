/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages for communicators that are being made, whose other ranks were faster. Under the lock. */
#ifndef TTI_AGREE_EARLY_H
#define TTI_AGREE_EARLY_H

#include "runtime/p2p/p2p.h"

/* Keeps a message for which tti_p2p_expects() its context; false: no memory. */
bool tti_early_keep(tti_am_fn *handle, int job_rank, const void *payload, size_t bytes);
/* A communicator has been made, or was not: hands each message to its function again, which may keep it
 * again.
 */
void tti_early_settle(void);
/* At closing. */
void tti_early_forget(void);

#endif
