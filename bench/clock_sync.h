/* SPDX-License-Identifier: BSD-3-Clause */
/* One time for all ranks, and whether each rank has a core to itself. */
#ifndef BENCH_CLOCK_SYNC_H
#define BENCH_CLOCK_SYNC_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* This rank's clock, in nanoseconds. */
static inline int64_t bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* How the ranks lie on the machines; the same on every rank. */
typedef struct {
    int hosts;         /* distinct host names */
    int cores;         /* cores that the ranks of the busiest machine may use together */
    int ranks;         /* ranks on that machine */
    bool crowded;      /* more ranks than cores there: a rank that spins keeps another from its core */
    bool clock_shared; /* all ranks read one and the same clock */
} bench_layout;

/* Collective, over plain sends and receives. */
bench_layout bench_layout_find(void);

/* This rank's clock minus that of rank 0, in nanoseconds. Collective. Where the clock is shared it is 0;
 * elsewhere rank 0 exchanges pings with each rank in turn and takes the one with the shortest round trip: the
 * clock read between was then nearest its middle. *error is half the longest of these shortest trips, the
 * bound on the offset's error (rank 0 alone). */
int64_t bench_clock_offset(const bench_layout *layout, int64_t *error);

#endif
