/* SPDX-License-Identifier: BSD-3-Clause */
/* How long it takes to read a word: about as long as its line comes from a core that has written it, with
 * what the clock takes. */
#ifndef TTI_BASE_TIMED_LOAD_H
#define TTI_BASE_TIMED_LOAD_H

#include "runtime/base/atomics.h"
#include "runtime/base/clock.h"

typedef struct {
    uint64_t value;
    int64_t ns;
} tti_timed_load;

static inline tti_timed_load tti_load_timed(const _Atomic uint64_t *word)
{
    tti_clock_settle();
    const int64_t begun = tti_clock_ns();
    tti_clock_settle();
    const uint64_t value = atomic_load_explicit(word, memory_order_relaxed);
    return (tti_timed_load){value, tti_clock_ns() - begun};
}

#endif
