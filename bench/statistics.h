/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of the samples of one measurement, and when there are enough of them. Pure. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts ascending, in place. */
void bench_sort(double *samples, size_t count);
/* Of sorted samples, but for the mean. The median of an even number is the mean of the middle two. A quantile
 * (0 < q ≤ 1) is the nearest rank: the smallest sample that at least q of all do not exceed. 0 for no
 * samples. */
double bench_mean(const double *samples, size_t count);
double bench_median(const double *sorted, size_t count);
double bench_quantile(const double *sorted, size_t count, double q);

/* The stability rule: the median over all samples so far, taken after each batch, has stayed within
 * `tolerance` (relative, from least to greatest) over the last BENCH_STABLE_BATCHES batches. */
#define BENCH_STABLE_BATCHES 5
typedef struct {
    int batches;
    double medians[BENCH_STABLE_BATCHES]; /* a ring */
} bench_stability;
/* Takes the median after one more batch; true once the rule is met. */
bool bench_is_stable(bench_stability *stability, double median, double tolerance);

#endif
