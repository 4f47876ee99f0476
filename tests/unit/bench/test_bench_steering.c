/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0's decisions, fed with made-up times. */
#include <math.h>
#include <string.h>

#include "bench/steering.h"
#include "tests/unit/expect.h"

/* Feeds the time that `time_of` gives for each repetition until rank 0 has enough; returns the orders given.
 */
static int feed(bench_steering *s, double (*time_of)(int), int *ways)
{
    bench_order order;
    double times[BENCH_BATCH_MAX];
    int orders = 0, repetition = 0;
    for (;; orders++) {
        EXPECT(orders < 1000000);
        bench_steering_next(s, &order);
        if (order.samples == 0) return orders;
        EXPECT(order.samples > 0 && order.samples <= BENCH_BATCH_MAX && order.inner >= 1);
        ways[order.sync]++;
        for (int i = 0; i < order.samples; i++)
            times[i] = order.sync == BENCH_SYNC_CLOCK ? time_of(repetition++) : 5e-6;
        bench_steering_take(s, &order, times);
    }
}

static double steady(int repetition)
{
    return repetition % 100 == 99 ? 1e-3 : 10e-6;
}

/* Each shorter than those before. */
static double ever_shorter(int repetition)
{
    return 1.0 / (1 + repetition);
}

/* Every second one; the others take seconds, each more than those before. */
static double often_late(int repetition)
{
    return repetition % 2 ? INFINITY : 1 + repetition;
}

static double always_late(int repetition)
{
    (void)repetition;
    return INFINITY;
}

static void stops_when_stable(void)
{
    bench_settings settings = {.max_time = 100, .tolerance = 0.02};
    bench_steering s;
    bench_result result = {0};
    int ways[BENCH_SYNCS] = {0};
    bench_steering_open(&s, &settings, BENCH_SYNC_CLOCK, 0);
    feed(&s, steady, ways);
    bench_steering_result(&s, 2, &result);
    EXPECT(ways[BENCH_SYNC_CLOCK] == BENCH_STABLE_BATCHES);
    EXPECT(result.stable && result.samples >= 20);
    EXPECT(fabs(result.median - 5e-6) < 1e-12 && result.least <= result.median &&
           result.p99 >= result.median);
    bench_steering_close(&s);
}

/* No repetition is ever on time: a barrier must do, and the measurement still ends. */
static void falls_back_to_barriers(void)
{
    bench_settings settings = {.max_time = 0.5, .tolerance = 0.02};
    bench_steering s;
    bench_result result = {0};
    int ways[BENCH_SYNCS] = {0};
    bench_steering_open(&s, &settings, BENCH_SYNC_CLOCK, 0);
    feed(&s, always_late, ways);
    bench_steering_result(&s, 1, &result);
    EXPECT(ways[BENCH_SYNC_BARRIER] > 2 && result.samples > 0 && s.sync == BENCH_SYNC_BARRIER);
    bench_steering_close(&s);
}

/* A time from an agreed moment and one from behind a barrier are two figures: what took over gives all of it.
 */
static void ways_are_not_mixed(void)
{
    const int iterations[] = {0, 3000};
    for (int i = 0; i < 2; i++) {
        bench_settings settings = {.max_time = 100, .tolerance = 0.02, .iterations = iterations[i]};
        bench_steering s;
        bench_result result = {0};
        int ways[BENCH_SYNCS] = {0};
        bench_steering_open(&s, &settings, BENCH_SYNC_CLOCK, 0);
        feed(&s, often_late, ways);
        bench_steering_result(&s, 1, &result);
        EXPECT(ways[BENCH_SYNC_CLOCK] > 2 && s.sync == BENCH_SYNC_BARRIER && result.samples > 0);
        EXPECT(result.p99 == 5e-6 && fabs(result.mean - 5e-6) < 1e-12);
        EXPECT(i == 0 || result.samples == iterations[i]);
        bench_steering_close(&s);
    }
}

static void iterations_are_exact(void)
{
    bench_settings settings = {.max_time = 1e-6, .tolerance = 0.02, .iterations = 2345};
    bench_steering s;
    bench_result result = {0};
    int ways[BENCH_SYNCS] = {0};
    bench_steering_open(&s, &settings, BENCH_SYNC_BARRIER, 0);
    feed(&s, steady, ways);
    bench_steering_result(&s, 1, &result);
    EXPECT(result.samples == 2345 && result.stable);
    bench_steering_close(&s);
}

/* They are sorted once, however many there are: after each batch that took a time with the square of their
 * number. */
static void iterations_are_sorted_at_the_end(void)
{
    enum { COUNT = 3001 };
    bench_settings settings = {.max_time = 1e-6, .tolerance = 0.02, .iterations = COUNT};
    bench_steering s;
    bench_result result = {0};
    int ways[BENCH_SYNCS] = {0};
    bench_steering_open(&s, &settings, BENCH_SYNC_CLOCK, 0);
    feed(&s, ever_shorter, ways);
    EXPECT(s.samples[0] > s.samples[1] && s.samples[COUNT - 2] > s.samples[COUNT - 1]);
    bench_steering_result(&s, 1, &result);
    EXPECT(result.samples == COUNT && result.least == 1.0 / COUNT && result.median == 2.0 / (COUNT + 1));
    EXPECT(result.p99 == 1.0 / (COUNT / 100 + 1));
    bench_steering_close(&s);
}

/* Takes one batch after another, each repetition `time` long; the last order that was given. */
static bench_order order_after(bench_steering *s, int batches, double time)
{
    bench_order order;
    double times[BENCH_BATCH_MAX];
    for (int batch = 0; batch < batches; batch++) {
        bench_steering_next(s, &order);
        for (int i = 0; i < order.samples; i++)
            times[i] = time;
        bench_steering_take(s, &order, times);
    }
    return order;
}

/* Ranks that keep their own pace are timed over stretches that the clock's own cost does not show in. */
static void short_operations_are_bundled(void)
{
    bench_settings settings = {.max_time = 1, .tolerance = 0.02};
    bench_steering s;
    bench_steering_open(&s, &settings, BENCH_SYNC_NONE, 1);
    bench_order order = order_after(&s, 3, 1e-6);
    EXPECT(order.inner == 20 && order.sync == BENCH_SYNC_NONE);
    bench_steering_close(&s);
    bench_steering_open(&s, &settings, BENCH_SYNC_ITERATION, 10);
    order = order_after(&s, 3, 1e-6);
    EXPECT(order.inner == 20 && order.sync == BENCH_SYNC_ITERATION);
    bench_steering_close(&s);
}

/* Exactly so many repetitions are those that are timed, one by one. */
static void iterations_are_not_bundled(void)
{
    bench_settings settings = {.max_time = 1, .tolerance = 0.02, .iterations = 25};
    bench_steering s;
    bench_steering_open(&s, &settings, BENCH_SYNC_NONE, 10);
    const bench_order order = order_after(&s, 3, 1e-6);
    EXPECT(order.inner == 1 && order.samples == 25);
    bench_steering_close(&s);
}

/* The exchange with neighbours is timed over several, but not where a library is so slow that it took for
 * ever. */
static void bundles_keep_their_size(void)
{
    bench_settings settings = {.max_time = 1, .tolerance = 0.02};
    bench_steering s;
    bench_steering_open(&s, &settings, BENCH_SYNC_NONE, 10);
    EXPECT(order_after(&s, 3, 50e-6).inner == 10);
    bench_steering_close(&s);
    bench_steering_open(&s, &settings, BENCH_SYNC_NONE, 10);
    EXPECT(order_after(&s, 3, 20e-3).inner == 1);
    bench_steering_close(&s);
}

static void slow_libraries_repeat_little(void)
{
    bench_settings settings = {.max_time = 0.1, .tolerance = 0.02};
    bench_steering s;
    bench_steering_open(&s, &settings, BENCH_SYNC_BARRIER, 0);
    EXPECT(order_after(&s, 3, 0.14).samples == 1);
    bench_steering_close(&s);
}

int main(void)
{
    stops_when_stable();
    falls_back_to_barriers();
    ways_are_not_mixed();
    iterations_are_exact();
    iterations_are_sorted_at_the_end();
    short_operations_are_bundled();
    iterations_are_not_bundled();
    bundles_keep_their_size();
    slow_libraries_repeat_little();
    return 0;
}
