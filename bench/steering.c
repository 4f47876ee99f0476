/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/steering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock_sync.h"

/* A timed stretch should be long beside the 30 ns that reading the clock twice takes. */
#define STRETCH 20e-6
#define LEAD_NS 200000
enum { PROBE, WARM_UP, MEASURE, BATCHES_PER_TIME = 20, INNER_MAX = 1000, LATE_MAX = 5, LEAST_SAMPLES = 4 };

void bench_steering_open(bench_steering *steering, const bench_settings *settings, enum bench_sync sync,
                         int bundle)
{
    *steering = (bench_steering){
        .settings = settings, .sync = sync, .bundle = bundle, .begun_ns = bench_now(), .lead_ns = LEAD_NS};
}

void bench_steering_close(bench_steering *steering)
{
    free(steering->samples);
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

/* The time of a batch. */
static double share_of(const bench_steering *s)
{
    return s->settings->max_time / BATCHES_PER_TIME;
}

static bool out_of_time(const bench_steering *s)
{
    return (double)(bench_now() - s->begun_ns) * 1e-9 >= s->settings->max_time;
}

static bool is_enough(const bench_steering *s)
{
    if (s->batches <= MEASURE) return false;
    if (s->settings->iterations) return s->count >= (size_t)s->settings->iterations;
    if (s->count == 0) return false;
    return s->stable || out_of_time(s);
}

/* A slow library gets no bundle that would take more than its share of the time. */
static int inner_of_batch(const bench_steering *s)
{
    double estimate = fmax(s->estimate, 1e-9);
    double stretch = fmin(s->bundle, share_of(s) / LEAST_SAMPLES / estimate);
    return (int)clamp(fmax(stretch, STRETCH / estimate), 1, INNER_MAX);
}

static int samples_of_batch(const bench_steering *s, int inner)
{
    double share = share_of(s);
    double cost = fmax(s->sync == BENCH_SYNC_CLOCK ? s->period : s->estimate, 1e-9) * inner;
    if (s->batches == PROBE) return 1;
    if (s->batches == WARM_UP) return (int)clamp(share / cost, 1, 100);
    if (s->settings->iterations)
        return (int)fmin((double)s->settings->iterations - (double)s->count, BENCH_BATCH_MAX);
    /* Where four take longer than there is time, one must do. */
    return (int)clamp(share / cost, LEAST_SAMPLES * cost > s->settings->max_time ? 1 : LEAST_SAMPLES,
                      BENCH_BATCH_MAX);
}

void bench_steering_next(bench_steering *s, bench_order *order)
{
    memset(order, 0, sizeof *order);
    if (is_enough(s)) return;
    order->sync = (int32_t)s->sync;
    /* The probe has no estimate yet to space its starts by. */
    if (s->batches < MEASURE && s->sync == BENCH_SYNC_CLOCK) order->sync = BENCH_SYNC_BARRIER;
    order->inner = 1;
    if (s->bundle && s->batches >= MEASURE && !s->settings->iterations) order->inner = inner_of_batch(s);
    order->samples = samples_of_batch(s, order->inner);
    order->start_ns = bench_now() + s->lead_ns;
    order->period_ns = (int64_t)(s->period * 1e9);
}

static void append(bench_steering *s, double time)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : BENCH_BATCH_MAX;
        double *more = realloc(s->samples, s->room * sizeof *more);
        if (!more) port_abort(1, "tutti-bench: no memory for the samples: give fewer --iterations");
        s->samples = more;
    }
    s->samples[s->count++] = time;
}

static void learn(bench_steering *s, const double *times, int count)
{
    double sorted[BENCH_BATCH_MAX];
    memcpy(sorted, times, (size_t)count * sizeof sorted[0]);
    bench_sort(sorted, (size_t)count);
    s->estimate = bench_median(sorted, (size_t)count);
    /* Room for the slower repetitions, and for the slowest rank to come back to its clock. */
    s->period = 1.5 * bench_quantile(sorted, (size_t)count, 0.9) + 10e-6;
}

/* Too many repetitions began late: start later and farther apart; if that does not help, some rank has no
 * core to itself after all, and a barrier must do. */
static void spread(bench_steering *s)
{
    s->period *= 2;
    s->lead_ns *= 2;
    if (++s->late <= LATE_MAX) return;
    s->sync = BENCH_SYNC_BARRIER;
    /* What was taken until then is another figure, and says nothing of how stable this one is. */
    s->count = 0;
    s->stability = (bench_stability){0};
}

void bench_steering_take(bench_steering *s, const bench_order *order, const double *times)
{
    int late = 0;
    if (s->batches++ < MEASURE) {
        learn(s, times, order->samples);
        return;
    }
    for (int i = 0; i < order->samples; i++) {
        if (isinf(times[i]))
            late++;
        else
            append(s, times[i]);
    }
    if (4 * late > order->samples)
        spread(s);
    else
        s->late = 0;
    /* Where their number is given nothing is decided by them, and there may be very many. */
    if (s->count == 0 || s->settings->iterations) return;
    bench_sort(s->samples, s->count);
    s->stable = bench_is_stable(&s->stability, bench_median(s->samples, s->count), s->settings->tolerance);
}

void bench_steering_result(const bench_steering *s, double operations, bench_result *result)
{
    result->samples = (int)s->count;
    result->stable = s->stable || s->settings->iterations;
    if (s->count == 0) return;
    bench_sort(s->samples, s->count);
    result->least = s->samples[0] / operations;
    result->median = bench_median(s->samples, s->count) / operations;
    result->mean = bench_mean(s->samples, s->count) / operations;
    result->p99 = bench_quantile(s->samples, s->count, 0.99) / operations;
}
