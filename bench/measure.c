/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 steers: before each batch of repetitions it tells all ranks how many follow, when and how they
 * start, or that it is enough. Each rank times its own repetitions. Of each what goes to rank 0 is the time
 * from the first rank's beginning to the last one's end, or, where clocks differ, the slowest rank's.
 *
 * The scheme of starting each repetition at an agreed time, and of throwing away those that a rank began
 * late, is that of Hunold and Carpen-Amarie, "Reproducible MPI benchmarking is still not as easy as you
 * think", 2016. */
#include "bench/measure.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/moments.h"
#include "bench/pattern.h"
#include "bench/steering.h"

enum { TAG_DONE = 6, BUNDLE_OF_ALL = 10 };

/* Of times that go to rank 0 at once, so that a message of them, heads and all, stays below 128 bytes. Linux
 * widens a TCP connection's receive window with each message from that size on. Once the window is as wide as
 * the smaller of them allow, a larger one is acknowledged when it is read and no longer at once, on the
 * sender's time: results in long messages made half a round trip of 8 KiB take 10.6 us instead of 8.2. */
#define TIMES_AT_ONCE 8

static void *allocate(const bench_context *context, size_t bytes)
{
    void *buf = NULL;
    char text[128];
    if (context->settings->memory == BENCH_MEMORY_SHARED) return port_mem_alloc(bytes);
    if (posix_memalign(&buf, 4096, bytes ? bytes : 1) == 0) return buf;
    snprintf(text, sizeof text, "tutti-bench: no memory for a buffer of %zu bytes: choose smaller --sizes",
             bytes);
    port_abort(1, text);
}

static void release(const bench_context *context, void *buf)
{
    if (context->settings->memory == BENCH_MEMORY_SHARED)
        port_mem_free(buf);
    else
        free(buf);
}

/* Every rank is in it, rather than pairs. */
static bool has_all(const bench_test *test)
{
    return test->actors == BENCH_ALL || test->actors == BENCH_NEIGHBOURS;
}

static bool takes_part(const bench_test *test, const bench_case *c)
{
    return has_all(test) || (c->peer >= 0 && (test->actors != BENCH_ONE_SIDE || c->origin));
}

/* Pairs: i and i + half; where ranks are odd in number the last has none. One pair: the first and last rank.
 */
static void find_peer(bench_case *c, const bench_test *test)
{
    int rank = port_rank(), size = port_size(), half = size / 2;
    c->peer = -1;
    if (test->actors == BENCH_PAIRS && rank < 2 * half) {
        c->peer = rank < half ? rank + half : rank - half;
        c->origin = rank < half;
    } else if (test->actors == BENCH_PAIR || test->actors == BENCH_ONE_SIDE) {
        if (rank == 0) c->peer = size - 1;
        if (rank == size - 1) c->peer = 0;
        c->origin = rank == 0;
    }
}

static size_t recv_bytes_of(const bench_test *test, const bench_case *c)
{
    return test->recv_bytes ? test->recv_bytes(c->bytes, c->window) : c->bytes;
}

static void open_case(bench_context *context, const bench_test *test, enum port_form form, size_t bytes,
                      bench_case *c)
{
    const bench_settings *s = context->settings;
    *c = (bench_case){.form = form, .type = s->type, .op = s->op, .root = s->root, .bytes = bytes};
    c->window = bench_window_fitting(s->window, bytes);
    c->pattern = ++context->cases;
    c->crowded = context->layout.crowded;
    find_peer(c, test);
    c->send = allocate(context, test->send_bytes ? test->send_bytes(bytes, c->window) : bytes);
    c->recv = allocate(context, recv_bytes_of(test, c));
    if (!test->send_bytes) bench_fill_bytes(c->send, bytes, port_rank(), c->pattern);
    memset(c->recv, 0, recv_bytes_of(test, c));
    if (test->open) test->open(c);
}

static void close_case(const bench_context *context, const bench_test *test, bench_case *c)
{
    if (test->close) test->close(c);
    release(context, c->send);
    release(context, c->recv);
}

/* One repetition from cleared buffers, looked at by every rank. */
static void check_once(const bench_test *test, bench_case *c)
{
    bench_fault fault;
    char text[256], size[24];
    memset(c->recv, 0xee, recv_bytes_of(test, c));
    if (test->fill) test->fill(c);
    port_barrier();
    if (takes_part(test, c)) test->run(c);
    if ((has_all(test) || c->peer >= 0) && !test->check(c, &fault)) {
        snprintf(text, sizeof text,
                 "tutti-bench: wrong result of %s (%s) at rank %d, element %lld: expected %g, got %g "
                 "(%s bytes, %d ranks, %s)",
                 test->name, test->collective ? bench_form_name((int)c->form) : test->help, port_rank(),
                 fault.element, fault.expected, fault.got, bench_size_text(c->bytes, size), port_size(),
                 port_name());
        port_abort(1, text);
    }
    port_barrier();
}

/* Where hosts have clocks of their own these drift by microseconds a second: what they differed by before the
 * first size does not hold for the last. */
static void compare_clocks(bench_context *context)
{
    int64_t error;
    context->offset = bench_clock_offset(&context->layout, &error);
    if (error > context->clock_error) context->clock_error = error;
}

/* Waits for the start of a repetition. Returns when it counts as begun, or 0 if this rank is too late. Who
 * shares its core offers it meanwhile to ranks that are still on their way here. */
static int64_t await_start(const bench_context *context, const bench_order *order, int repetition)
{
    if (order->sync == BENCH_SYNC_BARRIER) port_barrier();
    if (order->sync != BENCH_SYNC_CLOCK) return bench_now();
    int64_t start = order->start_ns + context->offset + repetition * order->period_ns;
    int64_t now = bench_now();
    if (now > start) return 0;
    while (now < start) {
        if (context->layout.crowded) sched_yield();
        now = bench_now();
    }
    return start;
}

/* Behind a barrier a rank that leaves it late may find the others' work done while it had no processor: that
 * is part of what the operation takes. Where all begin at one time, or have no common clock, it is since the
 * rank's own beginning. */
static void run_together(const bench_context *context, const bench_test *test, bench_case *c,
                         const bench_order *order, bench_moments *m)
{
    const bool apart = order->sync == BENCH_SYNC_BARRIER && context->layout.clock_shared;
    for (int i = 0; i < order->samples; i++) {
        const int64_t start = await_start(context, order, i), since = apart ? order->start_ns : start;
        test->run(c);
        bench_moments_note(m, i, since, start, bench_now());
        if (start == 0) m->ended[i] = (double)INFINITY;
    }
}

static void repeat(const bench_test *test, bench_case *c, const bench_order *order)
{
    if (order->sync == BENCH_SYNC_ITERATION) port_barrier();
    test->run(c);
}

/* Pairs keep each other in step. The repetition ahead of the first timed one waits for a partner that comes
 * late. */
static void run_at_own_pace(const bench_test *test, bench_case *c, const bench_order *order, bench_moments *m)
{
    repeat(test, c, order);
    for (int i = 0; i < order->samples; i++) {
        int64_t start = bench_now();
        for (int k = 0; k < order->inner; k++)
            repeat(test, c, order);
        m->ended[i] = (double)(bench_now() - start) * 1e-9 / order->inner;
    }
}

/* Neighbours and pairs keep each other in step: nothing starts them, whatever was asked for. */
static enum bench_sync sync_of(const bench_context *context, const bench_test *test)
{
    return test->actors == BENCH_ALL ? context->sync : BENCH_SYNC_NONE;
}

/* Repetitions that are not started together, one by one. */
static bool is_paced(const bench_context *context, const bench_test *test)
{
    const enum bench_sync sync = sync_of(context, test);
    return sync == BENCH_SYNC_NONE || sync == BENCH_SYNC_ITERATION;
}

static void run_batch(const bench_context *context, const bench_test *test, bench_case *c,
                      const bench_order *order, bench_moments *m)
{
    char done = 0;
    memset(m, 0, sizeof *m);
    if (!is_paced(context, test))
        run_together(context, test, c, order, m);
    else if (takes_part(test, c))
        run_at_own_pace(test, c, order, m);
    if (test->actors != BENCH_ONE_SIDE || c->peer < 0) return;
    if (c->origin)
        port_send(&done, 1, c->peer, TAG_DONE);
    else
        port_recv(&done, 1, c->peer, TAG_DONE);
}

static void tell_all(bench_order *order)
{
    port_call call = {.kind = PORT_BCAST, .recv = order, .count = sizeof *order};
    port_collective(&call);
}

/* At rank 0. */
static void take_greatest(const double *values, double *greatest, int count)
{
    for (int i = 0; i < count; i += TIMES_AT_ONCE) {
        port_call call = {.kind = PORT_REDUCE,
                          .send = values + i,
                          .recv = greatest + i,
                          .count = (size_t)(count - i < TIMES_AT_ONCE ? count - i : TIMES_AT_ONCE),
                          .type = PORT_DOUBLE,
                          .op = PORT_MAX};
        port_collective(&call);
    }
}

/* What each repetition took, at rank 0. */
static void take_times(const bench_moments *m, double *times, int count)
{
    double begun[BENCH_BATCH_MAX];
    take_greatest(m->ended, times, count);
    take_greatest(m->begun, begun, count);
    for (int i = 0; i < count && port_rank() == 0; i++)
        times[i] += begun[i];
}

/* Ranks that are many run ahead of each other by a repetition: over several that evens out. */
static int bundle_of(const bench_context *context, const bench_test *test)
{
    if (!is_paced(context, test)) return 0;
    return has_all(test) ? BUNDLE_OF_ALL : 1;
}

static void describe(const bench_test *test, const bench_case *c, const bench_steering *steering,
                     bench_result *result)
{
    double operations = test->operations ? test->operations(c) : 1;
    *result = (bench_result){.test = test->name, .root = -1, .sized = test->sized, .bytes = c->bytes};
    if (test->collective) {
        result->form = bench_form_name((int)c->form);
        result->sync = bench_sync_name((int)steering->sync);
    }
    if (test->reduces) {
        result->type = bench_type_name((int)c->type);
        result->op = bench_op_name((int)c->op);
    }
    if (test->rooted) result->root = c->root;
    bench_steering_result(steering, operations, result);
    if (result->median <= 0) return;
    if (test->measure == BENCH_BANDWIDTH) result->bandwidth = (double)c->bytes / result->median;
    if (test->bus_bytes) result->bus_bandwidth = test->bus_bytes(c->bytes, port_size()) / result->median;
    if (test->measure == BENCH_RATE) result->rate = port_size() / 2 / result->median;
}

void bench_measure(bench_context *context, const bench_test *test, enum port_form form, size_t bytes,
                   bench_result *result)
{
    double times[BENCH_BATCH_MAX];
    bench_moments m;
    bench_steering steering;
    bench_order order = {0};
    bench_case c;
    bool check = test->check && context->settings->validate != BENCH_VALIDATE_OFF;
    open_case(context, test, form, bytes, &c);
    if (check) check_once(test, &c);
    if (sync_of(context, test) == BENCH_SYNC_CLOCK) compare_clocks(context);
    bench_steering_open(&steering, context->settings, sync_of(context, test), bundle_of(context, test));
    for (;;) {
        if (port_rank() == 0) bench_steering_next(&steering, &order);
        tell_all(&order);
        if (order.samples == 0) break;
        if (check && context->settings->validate == BENCH_VALIDATE_ALL) check_once(test, &c);
        run_batch(context, test, &c, &order, &m);
        take_times(&m, times, order.samples);
        if (port_rank() == 0) bench_steering_take(&steering, &order, times);
    }
    /* Again: of a persistent call's starts a library may carry out the first alone. */
    if (check) check_once(test, &c);
    if (port_rank() == 0) {
        describe(test, &c, &steering, result);
        result->validated = check;
    }
    bench_steering_close(&steering);
    close_case(context, test, &c);
}
