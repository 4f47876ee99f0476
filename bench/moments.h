/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks say of the repetitions of a batch, so that rank 0 learns how long each took of all. */
#ifndef BENCH_MOMENTS_H
#define BENCH_MOMENTS_H

#include <stdint.h>

#include "bench/steering.h"

/* When each ended at a rank, and minus when it began there, in seconds since a moment that all know, or since
 * it began: the greatest of either over all ranks, added up, are the time from the first beginning to the
 * last end; or the slowest rank's time. */
typedef struct {
    double ended[BENCH_BATCH_MAX], begun[BENCH_BATCH_MAX];
} bench_moments;

static inline void bench_moments_note(bench_moments *m, int i, int64_t since, int64_t begun, int64_t ended)
{
    m->ended[i] = (double)(ended - since) * 1e-9;
    m->begun[i] = (double)(since - begun) * 1e-9;
}

#endif
