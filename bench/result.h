/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured, as it goes to the reports. Kept by rank 0. */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole run. Strings live as long as the run. */
typedef struct {
    const char *library, *loop; /* loop: of which sources (port_loop()), or NULL */
    int ranks, hosts, cores;
    const char
        *sync; /* how repetitions of collectives are started, as far as it goes: clock, barrier, none */
    const char *memory; /* of the buffers: plain or shared */
    double max_time, tolerance;
    double clock_error; /* bound on the error of what clocks differ by, in seconds; 0: there is one clock */
} bench_run;

/* One size of one test. Times in seconds per operation; what a test does not have is 0 or NULL. */
typedef struct {
    const char *test, *form, *type, *op, *sync;
    int root; /* -1: none */
    bool sized;
    size_t bytes;
    int samples;
    bool stable;    /* ended by the stability rule or --iterations, not by --max-time */
    bool validated; /* its data were checked, and right */
    double least, median, p99, mean;
    double bandwidth, bus_bandwidth; /* bytes per second, from the median */
    double rate;                     /* operations per second, from the median */
    int64_t resident;                /* bytes per rank: median over ranks; start-up only */
    int64_t resident_most;
    double waiters_cpu; /* processor time of all that wait, in cores; idle only */
    double slowdown;    /* time of the rank that computes, relative to computing alone; idle only */
} bench_result;

typedef struct {
    bench_run run;
    int count, room;
    bench_result *results;
} bench_results;

/* Appends; without memory for it the job ends. */
void bench_results_add(bench_results *results, const bench_result *result);

#endif
