/* SPDX-License-Identifier: BSD-3-Clause */
/* The test of start-up: time from exec to the first barrier done, and resident memory then. */
#ifndef BENCH_STARTUP_H
#define BENCH_STARTUP_H

#include "bench/result.h"

/* Executes this program anew with the time of doing so among its arguments: the kernel keeps the start of a
 * process in units of 10 ms only. Returns only if that failed, having said why. */
void bench_startup_exec(int argc, char **argv);

/* To be called right after port_init(). Collective; fills *result at rank 0. */
void bench_startup(int64_t exec_ns, bench_result *result);

#endif
