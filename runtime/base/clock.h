/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic time in nanoseconds. */
#ifndef TTI_BASE_CLOCK_H
#define TTI_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define TTI_NS_PER_SECOND INT64_C(1000000000)

static inline int64_t tti_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * TTI_NS_PER_SECOND + t.tv_nsec;
}

#endif
