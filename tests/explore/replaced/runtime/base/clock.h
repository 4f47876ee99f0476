/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of that name, but for the time, which is the explorer's: what is tried next must not depend on
 * the machine. */
#ifndef EXPLORE_BASE_CLOCK_H
#define EXPLORE_BASE_CLOCK_H

#include "tests/explore/steps.h"

#define tti_clock_rough tti_clock_rough_of_machine
#include_next "runtime/base/clock.h"
#undef tti_clock_rough

static inline int64_t tti_clock_rough(void)
{
    return explore_clock();
}

#endif
