/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/statistics.h"
#include "tests/unit/expect.h"

static void medians_and_quantiles(void)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, many[200];
    bench_sort(odd, 3);
    bench_sort(even, 4);
    EXPECT(odd[0] == 1 && odd[2] == 3 && bench_median(odd, 3) == 2 && bench_mean(odd, 3) == 2);
    EXPECT(bench_median(even, 4) == 2.5);
    EXPECT(bench_median(odd, 0) == 0 && bench_median(odd, 1) == 1);
    for (int i = 0; i < 200; i++)
        many[i] = 200 - i;
    bench_sort(many, 200);
    EXPECT(bench_quantile(many, 200, 0.99) == 198);
    EXPECT(bench_quantile(many, 200, 1) == 200 && bench_quantile(many, 200, 0.001) == 1);
    EXPECT(bench_quantile(odd, 3, 0.99) == 3 && bench_quantile(odd, 0, 0.5) == 0);
}

/* Stable only when the last medians, all of them, are within the tolerance. */
static void stability(void)
{
    bench_stability s = {0};
    for (int i = 0; i < BENCH_STABLE_BATCHES - 1; i++)
        EXPECT(!bench_is_stable(&s, 100, 0.02));
    EXPECT(bench_is_stable(&s, 101, 0.02));
    EXPECT(!bench_is_stable(&s, 110, 0.02));
    for (int i = 0; i < BENCH_STABLE_BATCHES - 2; i++)
        EXPECT(!bench_is_stable(&s, 111 + i % 2, 0.02));
    EXPECT(bench_is_stable(&s, 111, 0.02));
}

int main(void)
{
    medians_and_quantiles();
    stability();
    return 0;
}
