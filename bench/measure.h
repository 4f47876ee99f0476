/* SPDX-License-Identifier: BSD-3-Clause */
/* The measuring loop, one for every test and every library. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/context.h"
#include "bench/result.h"
#include "bench/suite.h"

/* Measures one size. Collective over all ranks, also those that take no part. *result is filled at rank 0. A
 * wrong result ends the job. */
void bench_measure(bench_context *context, const bench_test *test, enum port_form form, size_t bytes,
                   bench_result *result);

#endif
