/* SPDX-License-Identifier: BSD-3-Clause */
/* The extents with the least sum, found by trying: each is a divisor of what the ones before have left. What
 * cannot be better than the best so far is not tried: a product has its least sum where all are equal. */
#include <math.h>

#include "runtime/comm/grid.h"

/* No int has more: 2,095,133,040 has so many. */
#define MOST_DIVISORS 1600
/* Against rounding in pow(). */
#define SLACK 1e-6

typedef struct {
    int divisors[MOST_DIVISORS], divisor_count; /* ascending */
    int chosen[TUTTI_GRID_DIMS_MAX], best[TUTTI_GRID_DIMS_MAX];
    double best_sum; /* 0: none yet */
} balance;

static void list_divisors(balance *b, int of)
{
    int above = 0;
    b->divisor_count = 0;
    for (int d = 1; d <= of / d; d++)
        if (of % d == 0) b->divisors[b->divisor_count++] = d;
    for (int i = b->divisor_count - 1; i >= 0; i--)
        if (b->divisors[i] != of / b->divisors[i])
            b->divisors[b->divisor_count + above++] = of / b->divisors[i];
    b->divisor_count += above;
}

static void take(balance *b, int dims, double sum)
{
    if (b->best_sum > 0 && sum >= b->best_sum) return;
    b->best_sum = sum;
    for (int d = 0; d < dims; d++)
        b->best[d] = b->chosen[d];
}

/* Chooses number `at` of `dims`, and those after it, which are not larger, from what is left. */
static void search(balance *b, int at, int dims, int left, double sum)
{
    if (at == dims) {
        if (left == 1) take(b, dims, sum);
        return;
    }
    const int free = dims - at;
    const double mean = pow(left, 1.0 / free), least = sum + free * mean;
    if (b->best_sum > 0 && least >= b->best_sum - SLACK) return;
    for (int i = 0; i < b->divisor_count; i++) {
        const int extent = b->divisors[i];
        if (extent < mean - SLACK || left % extent != 0) continue;
        if (at > 0 && extent > b->chosen[at - 1]) break;
        b->chosen[at] = extent;
        search(b, at + 1, dims, left / extent, sum + extent);
    }
}

bool tti_grid_fill(int ranks, int dims, int *extents)
{
    balance b = {.best_sum = 0};
    int free = 0, left = ranks, at = 0;
    for (int d = 0; d < dims; d++) {
        free += extents[d] == 0;
        if (extents[d] == 0) continue;
        if (left % extents[d] != 0) return false;
        left /= extents[d];
    }
    if (free == 0) return left == 1;
    list_divisors(&b, left);
    search(&b, 0, free, left, 0);
    for (int d = 0; d < dims; d++)
        if (extents[d] == 0) extents[d] = b.best[at++];
    return true;
}
