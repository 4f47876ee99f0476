/* SPDX-License-Identifier: BSD-3-Clause */
/* What waits in this folder sleeps here: one lock and one condition for all, as waits last milliseconds and
 * are few. */
#ifndef TTI_PMI_ASLEEP_H
#define TTI_PMI_ASLEEP_H

#include <stdint.h>

/* What a sleeper looks at before it sleeps is said under the lock, or before tti_pmi_wake(). */
void tti_pmi_lock(void);
void tti_pmi_unlock(void);
/* Under the lock, which it gives up meanwhile: until `deadline` on tti_clock_ns(), or until somebody wakes
 * all. May return for no reason. */
void tti_pmi_sleep(int64_t deadline);
/* Wakes all that sleep, to look anew. Not under the lock. */
void tti_pmi_wake(void);

#endif
