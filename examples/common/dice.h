/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers without a state: what a place begins with follows from its number, on whichever rank it is.
 */
#ifndef EXAMPLES_DICE_H
#define EXAMPLES_DICE_H

#include <stdint.h>

/* From 0 to below 1; another number for each key (the mixing function of SplitMix64: G. L. Steele, D. Lea, C.
 * H. Flood, OOPSLA 2014). */
static inline double dice(uint64_t key)
{
    uint64_t z = (key + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

#endif
