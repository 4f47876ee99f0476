/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/startup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/clock_sync.h"
#include "bench/port.h"
#include "bench/statistics.h"

enum { TAG_STARTUP = 7010 };

typedef struct {
    double seconds, resident;
} startup_sample;

void bench_startup_exec(int argc, char **argv)
{
    char option[64];
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (arguments) {
        arguments[0] = argv[0];
        arguments[1] = option;
        memcpy(arguments + 2, argv + 1, (size_t)(argc > 0 ? argc - 1 : 0) * sizeof *arguments);
        snprintf(option, sizeof option, "--exec-ns=%lld", (long long)bench_now());
        execv("/proc/self/exe", arguments);
    }
    fprintf(stderr, "tutti-bench: startup: cannot execute /proc/self/exe: %s\n", strerror(errno));
    free(arguments);
}

/* VmRSS, in bytes; 0 if the kernel does not tell. */
static double resident_bytes(void)
{
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return 0;
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld kB", &kib) == 1) break;
    fclose(status);
    return (double)kib * 1024;
}

static void summarise(double *times, double *resident, int size, bench_result *result)
{
    size_t count = (size_t)size;
    bench_sort(times, count);
    bench_sort(resident, count);
    *result = (bench_result){.test = "startup", .root = -1, .samples = size, .stable = true};
    result->least = times[0];
    result->median = bench_median(times, count);
    result->mean = bench_mean(times, count);
    result->p99 = bench_quantile(times, count, 0.99);
    result->resident = (int64_t)bench_median(resident, count);
    result->resident_most = (int64_t)resident[count - 1];
}

void bench_startup(int64_t exec_ns, bench_result *result)
{
    port_barrier();
    startup_sample sample = {(double)(bench_now() - exec_ns) * 1e-9, resident_bytes()};
    int size = port_size();
    if (port_rank() != 0) {
        port_send(&sample, sizeof sample, 0, TAG_STARTUP);
        return;
    }
    double *times = calloc(2 * (size_t)size, sizeof *times), *resident = times + size;
    if (!times) port_abort(1, "tutti-bench: no memory for the times of the ranks");
    for (int r = 0; r < size; r++) {
        if (r > 0) port_recv(&sample, sizeof sample, r, TAG_STARTUP);
        times[r] = sample.seconds;
        resident[r] = sample.resident;
    }
    summarise(times, resident, size, result);
    free(times);
}
