/* SPDX-License-Identifier: BSD-3-Clause */
/* The test of idle waiting: what ranks that wait in a barrier cost a rank that computes. */
#ifndef BENCH_IDLE_H
#define BENCH_IDLE_H

#include "bench/result.h"

/* Rank 0 computes for about `seconds` three times: alone, with all others in a barrier, and alone again.
 * Alone means that the others sleep in the kernel, in no call of the library. Collective, on one host, at
 * least 2 ranks; *result is filled at rank 0. */
void bench_idle(double seconds, bench_result *result);

#endif
