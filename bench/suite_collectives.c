/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the collectives, each in its three forms. */
#include "bench/pattern.h"
#include "bench/suite.h"

static size_t nothing(size_t bytes, int window)
{
    (void)bytes;
    (void)window;
    return 0;
}

static size_t of_all_ranks(size_t bytes, int window)
{
    (void)window;
    return bytes * (size_t)port_size();
}

static void prepare(bench_case *c, enum port_kind kind, size_t count)
{
    c->call = (port_call){kind, c->send, c->recv, count, c->type, c->op, c->root};
    c->slots = port_slots_open(1);
    if (c->form == PORT_PERSISTENT) port_collective_init(&c->call, c->slots, 0);
}

static void finish(bench_case *c)
{
    if (c->form == PORT_PERSISTENT) port_release(c->slots, 0);
    port_slots_close(c->slots);
}

static void run(bench_case *c)
{
    if (c->form == PORT_BLOCKING) {
        port_collective(&c->call);
        return;
    }
    if (c->form == PORT_NONBLOCKING)
        port_icollective(&c->call, c->slots, 0);
    else
        port_start(c->slots, 0);
    port_waitall(c->slots, 1);
}

static void open_barrier(bench_case *c)
{
    prepare(c, PORT_BARRIER, 0);
}

static void open_bcast(bench_case *c)
{
    prepare(c, PORT_BCAST, c->bytes);
}

static void open_allgather(bench_case *c)
{
    prepare(c, PORT_ALLGATHER, c->bytes);
}

static void open_reduce(bench_case *c)
{
    prepare(c, PORT_REDUCE, c->bytes / bench_type_bytes(c->type));
    bench_fill_elements(c->send, c->call.count, c->type, c->op, port_rank());
}

static void open_allreduce(bench_case *c)
{
    prepare(c, PORT_ALLREDUCE, c->bytes / bench_type_bytes(c->type));
    bench_fill_elements(c->send, c->call.count, c->type, c->op, port_rank());
}

static void fill_bcast(bench_case *c)
{
    if (port_rank() == c->root) bench_fill_bytes(c->recv, c->bytes, c->root, c->turn);
}

static bool check_bcast(bench_case *c, bench_fault *fault)
{
    fault->element = bench_check_bytes(c->recv, c->bytes, c->root, c->turn, &fault->expected, &fault->got);
    return fault->element < 0;
}

static bool check_allreduce(bench_case *c, bench_fault *fault)
{
    fault->element = bench_check_elements(c->recv, c->call.count, c->type, c->op, port_size(),
                                          &fault->expected, &fault->got);
    return fault->element < 0;
}

static bool check_reduce(bench_case *c, bench_fault *fault)
{
    return port_rank() != c->root || check_allreduce(c, fault);
}

static bool check_allgather(bench_case *c, bench_fault *fault)
{
    for (int r = 0; r < port_size(); r++) {
        const char *part = (const char *)c->recv + (size_t)r * c->bytes;
        long long wrong = bench_check_bytes(part, c->bytes, r, c->turn, &fault->expected, &fault->got);
        if (wrong < 0) continue;
        fault->element = wrong + (long long)c->bytes * r;
        return false;
    }
    return true;
}

/* Each byte must enter or leave every rank but the root once. */
static double once(size_t bytes, int ranks)
{
    return ranks > 1 ? (double)bytes : 0;
}

/* A reduction over all: every rank must send and receive its share of the others', twice over. */
static double twice_shared(size_t bytes, int ranks)
{
    return 2.0 * (double)bytes * (ranks - 1) / ranks;
}

static double of_others(size_t bytes, int ranks)
{
    return (double)bytes * (ranks - 1);
}

const bench_test bench_barrier = {
    .name = "barrier",
    .help = "no rank leaves before all have entered",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .collective = true,
    .open = open_barrier,
    .run = run,
    .close = finish,
};

const bench_test bench_bcast = {
    .name = "bcast",
    .help = "the bytes of --root at every rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .sized = true,
    .collective = true,
    .rooted = true,
    .send_bytes = nothing,
    .open = open_bcast,
    .fill = fill_bcast,
    .run = run,
    .check = check_bcast,
    .close = finish,
    .bus_bytes = once,
};

const bench_test bench_reduce = {
    .name = "reduce",
    .help = "all ranks' elements combined at --root",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .sized = true,
    .collective = true,
    .reduces = true,
    .rooted = true,
    .open = open_reduce,
    .run = run,
    .check = check_reduce,
    .close = finish,
    .bus_bytes = once,
};

const bench_test bench_allreduce = {
    .name = "allreduce",
    .help = "all ranks' elements combined, the result at every rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .sized = true,
    .collective = true,
    .reduces = true,
    .open = open_allreduce,
    .run = run,
    .check = check_allreduce,
    .close = finish,
    .bus_bytes = twice_shared,
};

const bench_test bench_allgather = {
    .name = "allgather",
    .help = "every rank's bytes at every rank; the size is that of one rank's part",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .sized = true,
    .collective = true,
    .recv_bytes = of_all_ranks,
    .open = open_allgather,
    .run = run,
    .check = check_allgather,
    .close = finish,
    .bus_bytes = of_others,
};
