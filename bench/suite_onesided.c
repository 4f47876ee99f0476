/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of one-sided access: rank 0 works on the memory of its peer, which waits in a receive meanwhile, so
 * that a library whose progress needs calls of the target has them. */
#include <string.h>

#include "bench/pattern.h"
#include "bench/suite.h"

enum { TAG_CHECKED = 3 };

/* Whole pages, at least one: MPICH 4.0.2 puts one byte off its place where the parts of the ranks of a node
 * are of odd size. */
enum { PAGE = 4096 };

static void open_memory(bench_case *c, size_t bytes)
{
    c->memory = port_window_open((bytes / PAGE + 1) * PAGE, &c->base);
    c->slots = port_slots_open(c->window);
}

static void close_memory(bench_case *c)
{
    port_slots_close(c->slots);
    port_window_close(c->memory);
}

static void open_for_put(bench_case *c)
{
    open_memory(c, c->bytes * (size_t)c->window);
}

/* What is read must be there before rank 0 begins: its peer says so. */
static void open_for_get(bench_case *c)
{
    open_memory(c, c->bytes * (size_t)c->window);
    for (int i = 0; i < c->window; i++)
        bench_fill_bytes((char *)c->base + (size_t)i * c->bytes, c->bytes, port_rank(), c->pattern);
    port_barrier();
}

static void open_for_atomics(bench_case *c)
{
    open_memory(c, sizeof(int64_t));
    c->done = 0;
}

static void clear_target(bench_case *c)
{
    memset(c->base, 0xee, bench_window_bytes(c->bytes, c->window));
}

/* The target looks at its memory when rank 0 says that the put is complete there. */
static void await_put(bench_case *c)
{
    char ready = 0;
    if (c->origin)
        port_send(&ready, 1, c->peer, TAG_CHECKED);
    else
        port_recv(&ready, 1, c->peer, TAG_CHECKED);
}

static bool check_put(bench_case *c, bench_fault *fault)
{
    await_put(c);
    return c->origin || bench_holds(c->base, c->bytes, c->peer, c->pattern, fault);
}

static bool check_put_stream(bench_case *c, bench_fault *fault)
{
    await_put(c);
    return c->origin || bench_check_window(c, c->base, fault);
}

static bool check_get(bench_case *c, bench_fault *fault)
{
    return !c->origin || bench_holds(c->recv, c->bytes, c->peer, c->pattern, fault);
}

static bool check_get_stream(bench_case *c, bench_fault *fault)
{
    return !c->origin || bench_check_window(c, c->recv, fault);
}

/* The counter must have counted every operation, also those of earlier repetitions. */
static bool check_counter(bench_case *c, bench_fault *fault)
{
    if (!c->origin) return true;
    int64_t value = port_fetch_add(c->memory, 0, c->peer, 0);
    *fault = (bench_fault){0, (double)c->done, (double)value};
    return value == c->done;
}

static void run_put(bench_case *c)
{
    port_put(c->memory, c->send, c->bytes, c->peer, 0);
    port_flush(c->memory, c->peer);
}

static void run_get(bench_case *c)
{
    port_get(c->memory, c->recv, c->bytes, c->peer, 0);
}

static void run_put_stream(bench_case *c)
{
    for (int i = 0; i < c->window; i++)
        port_put(c->memory, c->send, c->bytes, c->peer, (size_t)i * c->bytes);
    port_flush(c->memory, c->peer);
}

static void run_get_stream(bench_case *c)
{
    for (int i = 0; i < c->window; i++) {
        size_t offset = (size_t)i * c->bytes;
        port_iget(c->memory, c->slots, i, (char *)c->recv + offset, c->bytes, c->peer, offset);
    }
    port_waitall(c->slots, c->window);
}

static void run_fetch_add(bench_case *c)
{
    port_fetch_add(c->memory, 1, c->peer, 0);
    c->done++;
}

static void run_compare_swap(bench_case *c)
{
    port_compare_swap(c->memory, c->done, c->done + 1, c->peer, 0);
    c->done++;
}

const bench_test bench_put = {
    .name = "put",
    .help = "a put and its flush, from rank 0 to the last rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .sized = true,
    .open = open_for_put,
    .fill = clear_target,
    .run = run_put,
    .check = check_put,
    .close = close_memory,
};

const bench_test bench_get = {
    .name = "get",
    .help = "a get, by rank 0 from the last rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .sized = true,
    .open = open_for_get,
    .run = run_get,
    .check = check_get,
    .close = close_memory,
};

const bench_test bench_put_bandwidth = {
    .name = "put-bandwidth",
    .help = "--window puts and one flush",
    .measure = BENCH_BANDWIDTH,
    .actors = BENCH_ONE_SIDE,
    .sized = true,
    .open = open_for_put,
    .fill = clear_target,
    .run = run_put_stream,
    .check = check_put_stream,
    .close = close_memory,
    .operations = bench_window_of,
};

const bench_test bench_get_bandwidth = {
    .name = "get-bandwidth",
    .help = "--window gets at once",
    .measure = BENCH_BANDWIDTH,
    .actors = BENCH_ONE_SIDE,
    .sized = true,
    .recv_bytes = bench_window_bytes,
    .open = open_for_get,
    .run = run_get_stream,
    .check = check_get_stream,
    .close = close_memory,
    .operations = bench_window_of,
};

const bench_test bench_fetch_add = {
    .name = "fetch-add",
    .help = "an atomic add to a 64-bit integer of the last rank, with its old value",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .fixed = sizeof(int64_t),
    .open = open_for_atomics,
    .run = run_fetch_add,
    .check = check_counter,
    .close = close_memory,
};

const bench_test bench_compare_swap = {
    .name = "compare-swap",
    .help = "an atomic compare-and-swap on a 64-bit integer of the last rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .fixed = sizeof(int64_t),
    .open = open_for_atomics,
    .run = run_compare_swap,
    .check = check_counter,
    .close = close_memory,
};
