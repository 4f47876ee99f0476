/* SPDX-License-Identifier: BSD-3-Clause */
/* The measuring loop, one for every test and every library. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/clock_sync.h"
#include "bench/command_line.h"
#include "bench/result.h"
#include "bench/suite.h"

/* What the loop needs to know of the job; the same on every rank but for `offset`. */
typedef struct {
    const bench_settings *settings;
    bench_layout layout;
    enum bench_sync sync; /* never BENCH_SYNC_AUTO */
    int64_t offset;       /* this rank's clock minus rank 0's, in ns */
    int turn;             /* cases so far */
    int64_t begun_ns;     /* when the first was begun */
} bench_context;

/* Measures one size. Collective over all ranks, also those that take no part. *result is filled at rank 0. A
 * wrong result ends the job. */
void bench_measure(bench_context *context, const bench_test *test, enum port_form form, size_t bytes,
                   bench_result *result);

#endif
