/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine takes, with no library between: the floor under the other tests' times. Each test has
 * memory that all ranks share, with lines of its own for each rank. */
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/common_file.h"
#include "bench/pattern.h"
#include "bench/suite.h"

/* Looks at a word before the core is offered, where each rank has one. */
enum { LOOKS = 1000 };
/* Bytes that lie between two ranks at once (PIECE of floors.py). */
#define PIECE ((size_t)64 << 10)

/* Processors fetch lines in pairs. */
typedef struct {
    _Alignas(128) _Atomic uint32_t word; /* how often the rank has come */
    pid_t pid;
    uint64_t buffer; /* address of what it sends, there */
} line;

/* One for each rank, then where they are counted, and what the last to come says; and a piece. */
static line *lines_of(const bench_case *c)
{
    return c->base;
}

static char *piece_of(const bench_case *c)
{
    return (char *)(lines_of(c) + port_size() + 2);
}

static size_t area_bytes(void)
{
    return ((size_t)port_size() + 2) * sizeof(line) + PIECE;
}

static void open_floor(bench_case *c)
{
    int fd = bench_common_file("floor", "/dev/shm", area_bytes());
    c->base = mmap(NULL, area_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (c->base == MAP_FAILED) port_abort(1, "tutti-bench: floor: no shared memory");
    line *mine = &lines_of(c)[port_rank()];
    mine->pid = getpid();
    mine->buffer = (uint64_t)(uintptr_t)c->send;
#if defined(PR_SET_PTRACER)
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where only parents may read (Yama) */
#endif
    port_barrier();
}

static void close_floor(bench_case *c)
{
    munmap(c->base, area_bytes());
}

static void await(const bench_case *c, const _Atomic uint32_t *word, uint32_t least)
{
    for (int looks = 0; (int32_t)(atomic_load_explicit(word, memory_order_acquire) - least) < 0; looks++)
        if (c->crowded || looks >= LOOKS) sched_yield();
}

static void say(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store_explicit(word, value, memory_order_release);
}

/* There and back. */
static void run_line(bench_case *c)
{
    line *lines = lines_of(c);
    uint32_t time = (uint32_t)++c->added;
    if (!c->origin) await(c, &lines[c->peer].word, time);
    say(&lines[port_rank()].word, time);
    if (c->origin) await(c, &lines[c->peer].word, time);
}

static void meet_by_flags(bench_case *c, uint32_t time)
{
    line *lines = lines_of(c);
    say(&lines[port_rank()].word, time);
    await(c, &lines[1 - port_rank()].word, time);
}

static void run_meet(bench_case *c)
{
    int size = port_size();
    uint32_t time = (uint32_t)++c->added;
    line *count = &lines_of(c)[size], *all = count + 1;
    if (size == 2)
        meet_by_flags(c, time);
    else if (atomic_fetch_add(&count->word, 1) + 1 == time * (uint32_t)size)
        say(&all->word, time);
    else
        await(c, &all->word, time);
}

static void run_copy(bench_case *c)
{
    memcpy(c->recv, c->send, c->bytes);
}

static void run_kernel(bench_case *c)
{
    const line *peer = &lines_of(c)[c->peer];
    for (size_t done = 0; done < c->bytes;) {
        struct iovec here = {(char *)c->recv + done, c->bytes - done},
                     there = {(char *)(uintptr_t)peer->buffer + done, c->bytes - done};
        ssize_t n = process_vm_readv(peer->pid, &here, 1, &there, 1, 0);
        if (n > 0) done += (size_t)n;
        if (n > 0 || errno == EINTR) continue;
        char text[128];
        snprintf(text, sizeof text, "tutti-bench: floor-kernel: process_vm_readv of rank %d: %s", c->peer,
                 strerror(errno));
        port_abort(1, text);
    }
}

/* The peer takes what rank 0 has just laid there, and says so. */
static void run_pass(bench_case *c)
{
    line *lines = lines_of(c);
    for (size_t at = 0; at < c->bytes; at += PIECE) {
        const size_t n = c->bytes - at < PIECE ? c->bytes - at : PIECE;
        const uint32_t time = (uint32_t)++c->added;
        if (c->origin)
            memcpy(piece_of(c), (char *)c->send + at, n);
        else
            await(c, &lines[c->peer].word, time);
        if (!c->origin) memcpy((char *)c->recv + at, piece_of(c), n);
        say(&lines[port_rank()].word, time);
        if (c->origin) await(c, &lines[c->peer].word, time);
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
    _Atomic uint32_t *mine = &lines_of(c)[port_rank()].word, *theirs = &lines_of(c)[c->peer].word;
    if (!c->origin) sleep_on(mine);
    wake(c, theirs);
    if (c->origin) sleep_on(mine);
}

/* What a rank that has copied (`here`) has now is what `from` sends. */
static bool check_copied(const bench_case *c, bool here, int from, bench_fault *fault)
{
    fault->element = bench_check_bytes(c->recv, c->bytes, from, c->turn, &fault->expected, &fault->got);
    return !here || fault->element < 0;
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
