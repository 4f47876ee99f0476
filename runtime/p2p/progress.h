/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress and waiting: the one discipline, spin, yield, sleep and be woken. */
#ifndef TTI_P2P_PROGRESS_H
#define TTI_P2P_PROGRESS_H

#include <stdbool.h>

/* One round over node and fabric; returns how many events it saw. Under the lock. */
int tti_progress(void);

/* Waits until `ready(argument)` is true, making progress, then yielding the core, then sleeping. Under the
 * lock, which it gives up while it yields and sleeps. `what` and `peer` (world rank, TUTTI_ANY_SOURCE or -2
 * for none) are for the watchdog's report. Returns 0. */
typedef bool tti_ready_fn(const void *argument);
int tti_wait_until(tti_ready_fn *ready, const void *argument, const char *what, int peer);

#endif
