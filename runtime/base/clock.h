/* SPDX-License-Identifier: BSD-3-Clause */
/* Monotonic time in nanoseconds. */
#ifndef TTI_BASE_CLOCK_H
#define TTI_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define TTI_NS_PER_SECOND INT64_C(1000000000)
#define TTI_NS_PER_MS INT64_C(1000000)

static inline int64_t tti_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * TTI_NS_PER_SECOND + t.tv_nsec;
}

/* A time `ns` after another; both may be as long as users like, and the end of time stands for never. */
static inline int64_t tti_clock_later(int64_t at, int64_t ns)
{
    return ns < INT64_MAX - at ? at + ns : INT64_MAX;
}

/* What comes behind does not begin before all ahead of it is done, as the processor would have it. */
static inline void tti_clock_settle(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
}

/* Time in units that are about nanoseconds (0.5 to 2.5 of them), for judging how long something took: read
 * from the processor, where it has a counter, without touching the kernel's pages, which are cold after each
 * switch of context. */
static inline int64_t tti_clock_rough(void)
{
#if defined(__x86_64__)
    return (int64_t)(__builtin_ia32_rdtsc() / 2); /* counters of 1 to 5 GHz */
#else
    return tti_clock_ns();
#endif
}

#endif
