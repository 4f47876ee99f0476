/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine takes, with no library between: the floor under the other tests' times. */
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/area.h"
#include "bench/pattern.h"

/* Bytes that lie between two ranks at once (PIECE of floors.py). */
#define PIECE ((size_t)64 << 10)

static void open_floor(bench_case *c)
{
    bench_area_open(c, PIECE);
}

static void close_floor(bench_case *c)
{
    bench_area_close(c, PIECE);
}

/* There and back. */
static void run_line(bench_case *c)
{
    bench_area_line *lines = bench_area_lines(c);
    uint32_t turn = bench_area_next(c);
    if (!c->origin) bench_area_await(c, &lines[c->peer].word, turn);
    bench_area_say(&lines[port_rank()].word, turn);
    if (c->origin) bench_area_await(c, &lines[c->peer].word, turn);
}

static void meet_by_flags(bench_case *c, uint32_t turn)
{
    bench_area_line *lines = bench_area_lines(c);
    bench_area_say(&lines[port_rank()].word, turn);
    bench_area_await(c, &lines[1 - port_rank()].word, turn);
}

static void run_meet(bench_case *c)
{
    int size = port_size();
    uint32_t turn = bench_area_next(c);
    bench_area_line *count = &bench_area_lines(c)[size], *all = count + 1;
    if (size == 2)
        meet_by_flags(c, turn);
    else if (atomic_fetch_add(&count->word, 1) + 1 == turn * (uint32_t)size)
        bench_area_say(&all->word, turn);
    else
        bench_area_await(c, &all->word, turn);
}

static void run_copy(bench_case *c)
{
    memcpy(c->recv, c->send, c->bytes);
}

static void run_kernel(bench_case *c)
{
    bench_area_read(c, c->peer, c->recv, c->bytes, 0);
}

/* The peer takes what rank 0 has just laid there, and says so. */
static void run_pass(bench_case *c)
{
    bench_area_line *lines = bench_area_lines(c);
    for (size_t at = 0; at < c->bytes; at += PIECE) {
        const size_t n = c->bytes - at < PIECE ? c->bytes - at : PIECE;
        const uint32_t turn = bench_area_next(c);
        if (c->origin)
            memcpy(bench_area_data(c), (char *)c->send + at, n);
        else
            bench_area_await(c, &lines[c->peer].word, turn);
        if (!c->origin) memcpy((char *)c->recv + at, bench_area_data(c), n);
        bench_area_say(&lines[port_rank()].word, turn);
        if (c->origin) bench_area_await(c, &lines[c->peer].word, turn);
    }
}

/* Only who sleeps already counts, so the word never changes. */
static void wake(const bench_case *c, _Atomic uint32_t *word)
{
    while (syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0) != 1)
        if (c->crowded) sched_yield();
}

static void sleep_on(_Atomic uint32_t *word)
{
    while (syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0) != 0)
        continue;
}

static void run_wake(bench_case *c)
{
    _Atomic uint32_t *mine = &bench_area_lines(c)[port_rank()].word,
                     *theirs = &bench_area_lines(c)[c->peer].word;
    if (!c->origin) sleep_on(mine);
    wake(c, theirs);
    if (c->origin) sleep_on(mine);
}

/* What a rank that has copied (`here`) has now is what `from` sends. */
static bool check_copied(const bench_case *c, bool here, int from, bench_fault *fault)
{
    return !here || bench_holds(c->recv, c->bytes, from, c->pattern, fault);
}

static bool check_own(bench_case *c, bench_fault *fault)
{
    return check_copied(c, c->origin, port_rank(), fault);
}

static bool check_peers(bench_case *c, bench_fault *fault)
{
    return check_copied(c, c->origin, c->peer, fault);
}

static bool check_passed(bench_case *c, bench_fault *fault)
{
    return check_copied(c, !c->origin, c->peer, fault);
}

const bench_test bench_floor_line = {
    .name = "floor-line",
    .help = "of the machine alone: a cache line from rank 0 to the last rank",
    .measure = BENCH_LATENCY,
    .actors = BENCH_PAIR,
    .machine = true,
    .open = open_floor,
    .run = run_line,
    .close = close_floor,
    .operations = bench_both_ways,
};

const bench_test bench_floor_meet = {
    .name = "floor-meet",
    .help =
        "all ranks meet: two by a flag each, more by a counter (and sched_yield() where they share cores)",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ALL,
    .machine = true,
    .open = open_floor,
    .run = run_meet,
    .close = close_floor,
};

const bench_test bench_floor_copy = {
    .name = "floor-copy",
    .help = "memcpy() in rank 0's memory",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .machine = true,
    .sized = true,
    .open = open_floor,
    .run = run_copy,
    .check = check_own,
    .close = close_floor,
};

const bench_test bench_floor_kernel = {
    .name = "floor-kernel",
    .help = "rank 0 reads in the last rank's memory, by process_vm_readv()",
    .measure = BENCH_LATENCY,
    .actors = BENCH_ONE_SIDE,
    .machine = true,
    .sized = true,
    .open = open_floor,
    .run = run_kernel,
    .check = check_peers,
    .close = close_floor,
};

const bench_test bench_floor_pass = {
    .name = "floor-pass",
    .help = "rank 0 lays bytes into memory that both share, the last rank takes them from there",
    .measure = BENCH_LATENCY,
    .actors = BENCH_PAIR,
    .machine = true,
    .sized = true,
    .open = open_floor,
    .run = run_pass,
    .check = check_passed,
    .close = close_floor,
};

const bench_test bench_floor_wake = {
    .name = "floor-wake",
    .help = "to fall asleep and be woken, by futex(): rank 0 and the last rank by turns",
    .measure = BENCH_LATENCY,
    .actors = BENCH_PAIR,
    .machine = true,
    .open = open_floor,
    .run = run_wake,
    .close = close_floor,
    .operations = bench_both_ways,
};
