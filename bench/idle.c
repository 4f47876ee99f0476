/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/idle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/clock_sync.h"
#include "bench/common_file.h"
#include "bench/port.h"

enum { UNIT = 100000 };

/* A file that rank 0 locks while it wants to be alone: to wait for a lock costs no processor time, and needs
 * nothing of the library under test. */
static void lock(int gate, int how)
{
    char text[128];
    while (flock(gate, how) != 0) {
        if (errno == EINTR) continue;
        snprintf(text, sizeof text, "tutti-bench: idle: rank %d cannot lock a file in /tmp: %s", port_rank(),
                 strerror(errno));
        port_abort(1, text);
    }
}

/* Work that needs a core and nothing else. */
static void compute(long long units)
{
    static volatile uint64_t sink;
    uint64_t x = sink + 1;
    for (long long i = 0; i < units * UNIT; i++)
        x = x * 6364136223846793005U + 1442695040888963407U;
    sink = x;
}

static double timed_compute(long long units)
{
    int64_t begun = bench_now();
    compute(units);
    return (double)(bench_now() - begun) * 1e-9;
}

/* Units that take about so long. Doubles its trial until that is long enough to tell. */
static long long units_for(double seconds)
{
    for (long long units = 1;; units *= 2) {
        double took = timed_compute(units);
        if (took >= seconds / 3) return (long long)((double)units * seconds / took) + 1;
    }
}

/* Rank 0's time for the work, the others being out of the way. *units is found first if it is 0. */
static double alone(int gate, double seconds, long long *units)
{
    double took = 0;
    if (port_rank() == 0) lock(gate, LOCK_EX);
    port_barrier();
    if (port_rank() == 0) {
        if (*units == 0) *units = units_for(seconds);
        took = timed_compute(*units);
    } else {
        lock(gate, LOCK_SH);
    }
    lock(gate, LOCK_UN);
    port_barrier();
    return took;
}

static double processor_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* Rank 0's time for the work, and at rank 0 the processor time of all others together, who wait for it in a
 * barrier. */
static double waited_for(long long units, double *used)
{
    double took = 0, before = processor_seconds();
    if (port_rank() == 0) took = timed_compute(units);
    port_barrier();
    double mine = port_rank() == 0 ? 0 : processor_seconds() - before;
    port_call call = {
        .kind = PORT_REDUCE, .send = &mine, .recv = used, .count = 1, .type = PORT_DOUBLE, .op = PORT_SUM};
    port_collective(&call);
    return took;
}

void bench_idle(double seconds, bench_result *result)
{
    long long units = 0;
    double used = 0;
    int gate = bench_common_file("idle", "/tmp", 0);
    double before = alone(gate, seconds, &units), waited = waited_for(units, &used),
           after = alone(gate, seconds, &units);
    close(gate);
    if (port_rank() != 0) return;
    /* The mean of both sides takes out a machine that becomes slower or faster meanwhile. */
    double usual = (before + after) / 2;
    *result = (bench_result){.test = "idle", .root = -1, .samples = 1, .stable = true};
    result->least = result->median = result->mean = result->p99 = waited;
    result->waiters_cpu = used / waited;
    result->slowdown = waited / usual;
}
