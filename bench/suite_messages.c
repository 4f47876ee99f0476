/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of messages between pairs of ranks. */
#include "bench/pattern.h"
#include "bench/suite.h"

enum { TAG_DATA = 1, TAG_ACK };

static bool check_received(bench_case *c, bench_fault *fault)
{
    return bench_holds(c->recv, c->bytes, c->peer, c->pattern, fault);
}

static bool check_window(bench_case *c, bench_fault *fault)
{
    return bench_check_window(c, c->recv, fault);
}

/* Of a one-way stream only the receiver has something to check. */
static bool check_stream(bench_case *c, bench_fault *fault)
{
    return c->origin || check_window(c, fault);
}

static void run_latency(bench_case *c)
{
    if (c->origin) {
        port_send(c->send, c->bytes, c->peer, TAG_DATA);
        port_recv(c->recv, c->bytes, c->peer, TAG_DATA);
    } else {
        port_recv(c->recv, c->bytes, c->peer, TAG_DATA);
        port_send(c->send, c->bytes, c->peer, TAG_DATA);
    }
}

/* Every message of a stream has room of its own at the receiver, and the same source at the sender. */
static void open_slots(bench_case *c)
{
    c->slots = port_slots_open(2 * c->window);
}

static void close_slots(bench_case *c)
{
    port_slots_close(c->slots);
}

static void post_receives(bench_case *c, int first)
{
    for (int i = 0; i < c->window; i++)
        port_irecv(c->slots, first + i, (char *)c->recv + (size_t)i * c->bytes, c->bytes, c->peer, TAG_DATA);
}

static void post_sends(bench_case *c, int first)
{
    for (int i = 0; i < c->window; i++)
        port_isend(c->slots, first + i, c->send, c->bytes, c->peer, TAG_DATA);
}

static void run_stream(bench_case *c)
{
    char ack = 0;
    if (c->origin) {
        post_sends(c, 0);
        port_waitall(c->slots, c->window);
        port_recv(&ack, 1, c->peer, TAG_ACK);
    } else {
        post_receives(c, 0);
        port_waitall(c->slots, c->window);
        port_send(&ack, 1, c->peer, TAG_ACK);
    }
}

static void run_both_ways(bench_case *c)
{
    post_receives(c, 0);
    post_sends(c, c->window);
    port_waitall(c->slots, 2 * c->window);
}

static double twice_window_of(const bench_case *c)
{
    return 2.0 * c->window;
}

const bench_test bench_latency = {
    .name = "latency",
    .help = "half the round trip of a message between rank 0 and the last rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_PAIR,
    .sized = true,
    .run = run_latency,
    .check = check_received,
    .operations = bench_both_ways,
};

const bench_test bench_bandwidth = {
    .name = "bandwidth",
    .help = "a stream of messages from rank 0 to the last rank, --window at once",
    .measure = BENCH_BANDWIDTH,
    .actors = BENCH_PAIR,
    .sized = true,
    .recv_bytes = bench_window_bytes,
    .open = open_slots,
    .run = run_stream,
    .check = check_stream,
    .close = close_slots,
    .operations = bench_window_of,
};

const bench_test bench_bibandwidth = {
    .name = "bibandwidth",
    .help = "streams both ways at once between rank 0 and the last rank",
    .measure = BENCH_BANDWIDTH,
    .actors = BENCH_PAIR,
    .sized = true,
    .recv_bytes = bench_window_bytes,
    .open = open_slots,
    .run = run_both_ways,
    .check = check_window,
    .close = close_slots,
    .operations = twice_window_of,
};

const bench_test bench_rate = {
    .name = "rate",
    .help = "messages per second of all pairs (rank i, rank i + half) at once",
    .measure = BENCH_RATE,
    .actors = BENCH_PAIRS,
    .sized = true,
    .recv_bytes = bench_window_bytes,
    .open = open_slots,
    .run = run_stream,
    .check = check_stream,
    .close = close_slots,
    .operations = bench_window_of,
};
