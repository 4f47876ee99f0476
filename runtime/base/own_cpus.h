/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that the calling thread may use. */
#ifndef TTI_BASE_OWN_CPUS_H
#define TTI_BASE_OWN_CPUS_H

#include <sched.h>

/* None if they are not known, as where processors have numbers beyond the set's. */
static inline cpu_set_t tti_own_cpus(void)
{
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) != 0) CPU_ZERO(&own);
    return own;
}

#endif
