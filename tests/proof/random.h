/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random and are the same for the same seed everywhere. */
#ifndef TESTS_PROOF_RANDOM_H
#define TESTS_PROOF_RANDOM_H

#include <stdint.h>

static inline uint64_t random_mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static inline uint64_t random_next(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15U;
    return random_mixed(*seed);
}

/* 0 … count - 1 */
static inline int random_below(uint64_t *seed, int count)
{
    return (int)(random_next(seed) % (uint64_t)count);
}

#endif
