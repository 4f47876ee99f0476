/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/statistics.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *samples, size_t count)
{
    if (count > 1) qsort(samples, count, sizeof samples[0], ascending);
}

double bench_mean(const double *samples, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    return count ? sum / (double)count : 0;
}

double bench_median(const double *sorted, size_t count)
{
    if (count == 0) return 0;
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double bench_quantile(const double *sorted, size_t count, double q)
{
    if (count == 0) return 0;
    double rank = ceil(q * (double)count);
    size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return sorted[index < count ? index : count - 1];
}

bool bench_is_stable(bench_stability *stability, double median, double tolerance)
{
    stability->medians[stability->batches++ % BENCH_STABLE_BATCHES] = median;
    if (stability->batches < BENCH_STABLE_BATCHES) return false;
    double least = median, most = median;
    for (int i = 0; i < BENCH_STABLE_BATCHES; i++) {
        least = fmin(least, stability->medians[i]);
        most = fmax(most, stability->medians[i]);
    }
    return most - least <= tolerance * least;
}
