/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in fixed point: a sum of doubles depends on the order, and so on the number of ranks; a sum of
 * integers does not. */
#ifndef EXAMPLES_FIXED_H
#define EXAMPLES_FIXED_H

#include <stdint.h>

/* 2^-36: a sum must stay below 2^27, some 10^8. */
#define FIXED 0x1p36

static inline int64_t fixed(double value)
{
    return (int64_t)(value * FIXED);
}

static inline double unfixed(int64_t value)
{
    return (double)value / FIXED;
}

#endif
