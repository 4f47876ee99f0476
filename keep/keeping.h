/* SPDX-License-Identifier: BSD-3-Clause */
/* One version being made: a machine that goes on in progress, for the blocking call and the nonblocking one.
 * Under the lock. */
#ifndef TTI_KEEP_KEEPING_H
#define TTI_KEEP_KEEPING_H

#include "keep/keeping_state.h"

/* Begins what is set in the upper part, up to `is_request`; the caller holds the lock until it is done, or
 * comes to it by its request. TUTTI_ERR_NO_MEMORY: nothing was begun. */
int tti_keeping_begin(tti_keeping *keeping);
bool tti_keeping_is_done(const void *keeping);

/* Keeps this rank's own piece anew by the ranks of `comm`, and then not as it was; blocking, for `call`. Not
 * under the lock. */
int tti_keep_again(const char *call, tutti_comm *comm, const tti_keep *keep);

#endif
