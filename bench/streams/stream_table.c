/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of several ways in turn, and their table. */
#include <stdio.h>

#include "bench/statistics.h"
#include "bench/streams/stream_bench.h"

#define WAYS_MOST 4

/* Forwards and backwards in turn, so that what a machine does over time meets all alike. */
static bool measure_all(const stream_settings *settings, const stream_way *ways, int count,
                        double figures[][STREAM_ROUNDS_MOST])
{
    for (int round = 0; round < settings->rounds; round++) {
        for (int i = 0; i < count; i++) {
            const int way = round % 2 == 0 ? i : count - 1 - i;
            figures[way][round] = ways[way].measure(settings, ways[way].how);
            if (figures[way][round] < 0) return false;
        }
    }
    return true;
}

bool stream_compare(const stream_settings *settings, const char *title, const stream_way *ways, int count)
{
    static double figures[WAYS_MOST][STREAM_ROUNDS_MOST];
    if (!measure_all(settings, ways, count, figures)) return false;
    const size_t rounds = (size_t)settings->rounds;
    printf("%s, %zu rounds in turn\n%-28s %10s %10s %10s %8s\n", title, rounds, "", "median", "least", "most",
           "ratio");
    double base = 0;
    for (int i = 0; i < count; i++) {
        bench_sort(figures[i], rounds);
        const double median = bench_median(figures[i], rounds);
        if (i == 0) base = median;
        printf("%-28s %10.3f %10.3f %10.3f %8.2f\n", ways[i].name, median, figures[i][0],
               figures[i][rounds - 1], median / base);
    }
    fflush(stdout);
    return true;
}
