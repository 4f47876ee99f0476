/* SPDX-License-Identifier: BSD-3-Clause */
/* How long something took. */
#ifndef EXAMPLES_STOPWATCH_H
#define EXAMPLES_STOPWATCH_H

#include <time.h>

/* Since some moment in the past. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
