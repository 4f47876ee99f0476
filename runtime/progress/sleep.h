/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping in the kernel until a peer, the fabric or another thread ends that. Under the lock but where it is
 * said. */
#ifndef TTI_PROGRESS_SLEEP_H
#define TTI_PROGRESS_SLEEP_H

#include "runtime/progress/core_loss.h"
#include "runtime/progress/progress.h"

/* A thread that waits. */
typedef struct {
    tti_ready_fn *ready; /* what it waits for: no sleep once ready(argument) is true */
    const void *argument;
    int64_t blind_ns; /* its next sleep on a provider that cannot wake; 0: the shortest */
    int64_t node_ns;  /* and on the node alone */
} tti_sleeper;

/* Gives up the lock until it is woken, or for a bounded time; may return at once. */
void tti_sleep(tti_sleeper *s, tti_core_loss *loss);

#endif
