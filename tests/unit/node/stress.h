/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stress programs share: `PROGRAM [SECONDS [SEED]]`, random numbers, and sleep that notices a lost
 * wake-up. A seed repeats what a run tries, not how its threads meet. */
#ifndef TESTS_UNIT_NODE_STRESS_H
#define TESTS_UNIT_NODE_STRESS_H

#include <poll.h>
#include <sched.h>

#include "runtime/base/clock.h"
#include "runtime/node/bell.h"
#include "tests/patience.h"
#include "tests/unit/node/node_threads.h"

#define DEFAULT_SECONDS 2
/* Nobody is away for so long, even on a busy machine: a wake-up was lost. */

static struct {
    int64_t until;
    uint64_t seed;
} stress;

static inline uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* 0 … below - 1 */
static inline uint32_t draw(uint64_t *state, uint32_t below)
{
    return (uint32_t)(next_random(state) >> 32) % below;
}

static inline void stress_open(int argc, char **argv)
{
    EXPECT(tti_options_load(NULL) == 0);
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : DEFAULT_SECONDS;
    EXPECT(seconds > 0);
    stress.seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)tti_clock_ns();
    stress.until = tti_clock_ns() + (int64_t)(seconds * 1e9);
    printf("seed %llu\n", (unsigned long long)stress.seed);
    fflush(stdout);
}

static inline bool stress_goes_on(void)
{
    return tti_clock_ns() < stress.until;
}

/* Sleeps on the futex, or on the descriptor if it is not negative. */
static inline void sleep_until_woken(tti_node *node, int fd)
{
    const int64_t began = tti_clock_ns();
    struct pollfd one = {.fd = fd, .events = POLLIN};
    if (fd >= 0)
        poll(&one, 1, PATIENCE_S * 1000);
    else
        tti_node_sleep(node, PATIENCE_S * TTI_NS_PER_SECOND);
    EXPECT(tti_clock_ns() - began < PATIENCE_S * TTI_NS_PER_SECOND);
}

#endif
