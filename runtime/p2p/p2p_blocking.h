/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation on the stack of a call that waits for it. Under the lock. */
#ifndef TTI_P2P_BLOCKING_H
#define TTI_P2P_BLOCKING_H

#include "runtime/p2p/p2p.h"

typedef struct {
    tti_p2p_op op; /* first */
    bool over;
} tti_blocking;

void tti_blocking_open(tti_blocking *b);
/* Waits for the end of what `started` (the result of the start) began; returns its error. */
int tti_blocking_wait(tti_blocking *b, int started, const char *call, int peer);
/* The same for a receive, with its status (may be NULL) and the detail of its error. */
int tti_blocking_receive(tti_blocking *b, int started, const char *call, tutti_status *status);

#endif
