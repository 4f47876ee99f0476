/* SPDX-License-Identifier: BSD-3-Clause */
/* The distances j · k^r (r = 0, 1, …; j = 1 … k-1) on which k-nomial trees, k-dissemination and k-Bruck are
 * built, in ascending order: index i is round r = i / (k-1), j = i % (k-1) + 1. Pure. */
#ifndef TTI_PATTERNS_RADIX_H
#define TTI_PATTERNS_RADIX_H

#include <stdint.h>

/* radix^round, at most INT64_MAX / 64 for the rounds that occur (radix^round < 2^31). */
static inline int64_t tti_radix_power(int radix, int round)
{
    int64_t power = 1;
    while (round-- > 0)
        power *= radix;
    return power;
}

static inline int tti_radix_round(int index, int radix)
{
    return index / (radix - 1);
}

static inline int64_t tti_radix_distance(int index, int radix)
{
    return (index % (radix - 1) + 1) * tti_radix_power(radix, tti_radix_round(index, radix));
}

/* How many of the distances are below `limit`. */
static inline int tti_radix_count(int limit, int radix)
{
    int count = 0;
    for (int64_t power = 1; power < limit; power *= radix) {
        const int64_t fitting = (limit - 1) / power;
        count += fitting < radix - 1 ? (int)fitting : radix - 1;
    }
    return count;
}

#endif
