/* SPDX-License-Identifier: BSD-3-Clause */
/* A mean of times, in which the last ones count most. */
#ifndef TTI_BASE_MEAN_H
#define TTI_BASE_MEAN_H

#include <stdint.h>

/* What took this many times as long as the others was interrupted, as a rule. */
#define TTI_MEAN_MOST 4

/* What the mean, at least 1, becomes with one more time. */
static inline int64_t tti_mean_with(int64_t mean, int64_t seen)
{
    const int64_t most = TTI_MEAN_MOST * mean;
    return mean + ((seen < 1 ? 1 : seen < most ? seen : most) - mean) / 4;
}

#endif
