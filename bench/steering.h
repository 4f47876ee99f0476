/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0's decisions in the measuring loop: how long a batch, how it starts, and when it is enough. It talks
 * to nobody, so that it can be tested with made-up times. */
#ifndef BENCH_STEERING_H
#define BENCH_STEERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/command_line.h"
#include "bench/result.h"
#include "bench/statistics.h"

enum { BENCH_BATCH_MAX = 1000 };

/* What rank 0 tells all ranks before a batch. */
typedef struct {
    int64_t start_ns, period_ns; /* of rank 0's clock; BENCH_SYNC_CLOCK only */
    int32_t samples;             /* repetitions that are timed; 0: enough */
    int32_t inner;               /* repetitions per timed one, where ranks keep their own pace */
    int32_t sync;                /* enum bench_sync */
    int32_t unused;
} bench_order;

typedef struct {
    const bench_settings *settings;
    enum bench_sync sync;
    int bundle;                /* as given to bench_steering_open() */
    int batches;               /* the first is a probe, the second a warm-up */
    int64_t begun_ns, lead_ns; /* lead: from the order to the first start */
    double estimate, period;   /* of one repetition, and from start to start; seconds */
    int late;                  /* batches spoiled in a row */
    bench_stability stability;
    bool stable;
    size_t count, room;
    double *samples; /* sorted after each batch, or at the end if their number is given */
} bench_steering;

/* `sync` is how repetitions are started. `bundle` is the least number of them that are timed as one, at each
 * rank's own pace; 0: they are started together, each is timed. */
void bench_steering_open(bench_steering *steering, const bench_settings *settings, enum bench_sync sync,
                         int bundle);
void bench_steering_close(bench_steering *steering);
void bench_steering_next(bench_steering *steering, bench_order *order);
/* Takes the slowest rank's times; INFINITY for a repetition that some rank began too late. */
void bench_steering_take(bench_steering *steering, const bench_order *order, const double *times);
/* Fills the statistics, per operation, of which there were `operations` in a repetition. */
void bench_steering_result(const bench_steering *steering, double operations, bench_result *result);

#endif
