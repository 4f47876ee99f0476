/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of their own: the lead runs where the caller does, the mate on a processor beside it, and at
 * the end both on one. The caller sleeps meanwhile, for a bounded time; a thread that does not come to run
 * then ends on its own, and the last one frees what they share. Of several short samples the shortest counts:
 * what else the machine does makes some longer. Of passing data the middle one does: the first may be
 * shorter, as long as no cache holds the buffer. */
#include "runtime/node/machine_measure.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/atomics.h"
#include "runtime/base/clock.h"
#include "runtime/base/past.h"
#include "runtime/node/machine_cpus.h"

#define LINE_BYTES 64
#define BUFFER 16384
#define BUFFERS 2
#define LONG_BYTES (1 << 20)
#define STREAM_BYTES (256 << 10)
#define KERNEL_BYTES (64 << 10)
#define SMALL_PIECE 1024
/* Samples, and rounds of what is too short for a clock. */
#define SAMPLES 6
#define SHORT_SAMPLES 24
#define LONG_SAMPLES 3
#define ROUNDS 40
#define TURNS 12
#define NEVER INT64_MAX

enum work { PASS, COPY, TAKE_TURNS };

typedef struct {
    alignas(LINE_BYTES) _Atomic uint64_t filled; /* by the lead */
    alignas(LINE_BYTES) _Atomic uint64_t done;   /* by the mate */
    alignas(LINE_BYTES) _Atomic int work;        /* changed only when all that is filled is done */
    _Atomic uint32_t piece;                      /* bytes that COPY takes out at a time; likewise */
    _Atomic int lead_cpu;
    _Atomic bool stop;
    alignas(LINE_BYTES) _Atomic int users;
    cpu_set_t own; /* the caller's */
    int cpu;
    int64_t longest_ns; /* after the lead's start; later no sample is begun or waited for */
    int64_t end_ns;
    sem_t over;
    tti_figures figures;
    alignas(LINE_BYTES) unsigned char area[BUFFERS * BUFFER];
    unsigned char taken[BUFFER];
    unsigned char from[LONG_BYTES], to[LONG_BYTES];
} bench;

static void leave(bench *b)
{
    if (atomic_fetch_sub(&b->users, 1) > 1) return;
    sem_destroy(&b->over);
    free(b);
}

static bool is_over(const bench *b)
{
    return atomic_load_explicit(&b->stop, memory_order_relaxed) || tti_clock_ns() > b->end_ns;
}

/* Until a count has come to `number`; false if the time is over. */
static bool await(const bench *b, const _Atomic uint64_t *count, uint64_t number, bool yield)
{
    for (unsigned looks = 1; atomic_load_explicit(count, memory_order_acquire) < number; looks++) {
        if (yield) sched_yield();
        if (looks % 64 == 0 && is_over(b)) return false;
    }
    return true;
}

/* -- the mate -- */

static void *follow(void *argument)
{
    bench *b = argument;
    bool turns = false;
    for (uint64_t next = 1; await(b, &b->filled, next, turns); next++) {
        const int work = atomic_load(&b->work);
        if (work == COPY) memcpy(b->taken, b->area + next % BUFFERS * BUFFER, atomic_load(&b->piece));
        if (work == TAKE_TURNS && !turns) turns = tti_machine_move_to(atomic_load(&b->lead_cpu));
        atomic_store_explicit(&b->done, next, memory_order_release);
    }
    leave(b);
    return NULL;
}

/* -- the lead's samples, in ns; NEVER where the time is over -- */

typedef int64_t sample_fn(bench *b);

static void post(bench *b)
{
    atomic_store_explicit(&b->filled, atomic_load_explicit(&b->filled, memory_order_relaxed) + 1,
                          memory_order_release);
}

static bool await_all(const bench *b, bool yield)
{
    return await(b, &b->done, atomic_load_explicit(&b->filled, memory_order_relaxed), yield);
}

/* One way of a line. */
static int64_t pass_line(bench *b)
{
    const int64_t begun = tti_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        post(b);
        if (!await_all(b, false)) return NEVER;
    }
    return (tti_clock_ns() - begun) / (2 * ROUNDS);
}

typedef void copy_fn(void *to, const void *from, size_t bytes);

static void copy_through(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Copies in piece by piece, at most so many ahead of the mate. */
static int64_t pass_pieces(bench *b, copy_fn *copy, size_t bytes, uint64_t ahead)
{
    const size_t piece = atomic_load(&b->piece);
    const int64_t begun = tti_clock_ns();
    for (size_t at = 0; at < bytes; at += piece) {
        const uint64_t number = atomic_load_explicit(&b->filled, memory_order_relaxed) + 1;
        if (number > ahead && !await(b, &b->done, number - ahead, false)) return NEVER;
        copy(b->area + number % BUFFERS * BUFFER, b->from + at, piece);
        post(b);
    }
    return await_all(b, false) ? tti_clock_ns() - begun : NEVER;
}

static int64_t pass_stream(bench *b)
{
    return pass_pieces(b, copy_through, STREAM_BYTES, BUFFERS);
}

static int64_t pass_piece(bench *b)
{
    return pass_pieces(b, copy_through, BUFFER, 1);
}

static int64_t pass_piece_past(bench *b)
{
    return pass_pieces(b, tti_copy_past, atomic_load(&b->piece), 1);
}

static int64_t take_turns(bench *b)
{
    const int64_t begun = tti_clock_ns();
    for (int i = 0; i < TURNS; i++) {
        post(b);
        if (!await_all(b, true)) return NEVER;
    }
    return (tti_clock_ns() - begun) / (2 * TURNS);
}

static int64_t copy_long(bench *b)
{
    const int64_t begun = tti_clock_ns();
    memcpy(b->to, b->from, LONG_BYTES);
    return tti_clock_ns() - begun;
}

/* From this very process: the same way through the kernel as from another. */
static int64_t copy_by_kernel(bench *b, size_t bytes)
{
    const struct iovec here = {b->to, bytes}, there = {b->from, bytes};
    const int64_t begun = tti_clock_ns();
    const ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return n == (ssize_t)bytes ? tti_clock_ns() - begun : NEVER;
}

static int64_t call_kernel(bench *b)
{
    return copy_by_kernel(b, LINE_BYTES);
}

static int64_t copy_some_by_kernel(bench *b)
{
    return copy_by_kernel(b, KERNEL_BYTES);
}

static int64_t shortest(bench *b, sample_fn *sample, int samples)
{
    int64_t best = NEVER;
    for (int i = 0; i < samples && !is_over(b); i++) {
        const int64_t took = sample(b);
        if (took < best) best = took;
    }
    return best;
}

static int64_t middle(bench *b, sample_fn *sample, int samples)
{
    int64_t took[SHORT_SAMPLES];
    int count = 0;
    while (count < samples && !is_over(b))
        took[count++] = sample(b);
    tti_figures_sort(took, count);
    return count > 0 ? took[count / 2] : NEVER;
}

/* -- the lead -- */

static void note(bench *b, enum tti_figure figure, int64_t value)
{
    if (tti_figure_fits(figure, value)) b->figures.value[figure] = value;
}

static bool kernel_refuses(bench *b)
{
    const struct iovec here = {b->to, 1}, there = {b->from, 1};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0 && (errno == EPERM || errno == ENOSYS);
}

static void measure_alone(bench *b)
{
    note(b, TTI_FIGURE_COPY_MIB, shortest(b, copy_long, LONG_SAMPLES));
    if (kernel_refuses(b)) {
        b->figures.value[TTI_FIGURE_KERNEL_CALL] = b->figures.value[TTI_FIGURE_KERNEL_MIB] = TTI_FIGURE_NONE;
        return;
    }
    const int64_t call = shortest(b, call_kernel, SHORT_SAMPLES);
    const int64_t some = shortest(b, copy_some_by_kernel, SAMPLES);
    note(b, TTI_FIGURE_KERNEL_CALL, call);
    if (call < some && some < NEVER)
        note(b, TTI_FIGURE_KERNEL_MIB, (some - call) * (LONG_BYTES / KERNEL_BYTES));
}

static void note_per_mib(bench *b, enum tti_figure figure, int64_t took, int64_t bytes)
{
    if (took < NEVER) note(b, figure, took * LONG_BYTES / bytes);
}

/* Of pieces of two sizes: what bytes cost, and what is left of the smaller without the two passages of its
 * flags.
 */
static void measure_past(bench *b)
{
    const int64_t large = middle(b, pass_piece_past, SHORT_SAMPLES);
    atomic_store(&b->piece, SMALL_PIECE);
    const int64_t small = middle(b, pass_piece_past, SHORT_SAMPLES), line = b->figures.value[TTI_FIGURE_LINE];
    if (large == NEVER || small >= large) return;
    const int64_t bytes = (large - small) * SMALL_PIECE / (BUFFER - SMALL_PIECE),
                  rest = small - bytes - 2 * line;
    note_per_mib(b, TTI_FIGURE_PAST_MIB, large - small, BUFFER - SMALL_PIECE);
    note(b, TTI_FIGURE_PAST_CALL, rest > 1 ? rest : 1);
}

static void measure_across(bench *b)
{
    note(b, TTI_FIGURE_LINE, shortest(b, pass_line, SAMPLES));
    atomic_store(&b->piece, BUFFER);
    atomic_store(&b->work, COPY);
    note_per_mib(b, TTI_FIGURE_PIECE_MIB, middle(b, pass_piece, SHORT_SAMPLES), BUFFER);
    measure_past(b);
    atomic_store(&b->piece, BUFFER);
    note_per_mib(b, TTI_FIGURE_SHARED_MIB, middle(b, pass_stream, SAMPLES), STREAM_BYTES);
}

static void measure_turns(bench *b)
{
    atomic_store(&b->work, TAKE_TURNS);
    post(b); /* the mate moves over here */
    if (await_all(b, true)) note(b, TTI_FIGURE_SWITCH, shortest(b, take_turns, SAMPLES));
}

static bool start(bench *b, void *(*run)(void *))
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run on its own threads */
    atomic_fetch_add(&b->users, 1);
    const bool started = pthread_create(&thread, NULL, run, b) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_detach(thread);
    else
        atomic_fetch_sub(&b->users, 1);
    return started;
}

/* The mate begins on the processor beside, since it inherits where the lead is bound. */
static void *lead(void *argument)
{
    bench *b = argument;
    b->end_ns = tti_clock_ns() + b->longest_ns;
    memset(b->from, 1, sizeof b->from); /* pages of its own */
    measure_alone(b);
    const int beside = tti_machine_cpu_beside(b->cpu, &b->own);
    const bool apart = beside >= 0 && tti_machine_move_to(beside);
    const bool here = apart || tti_machine_move_to(b->cpu);
    if (here && start(b, follow)) {
        if (apart && tti_machine_move_to(b->cpu)) measure_across(b);
        atomic_store(&b->lead_cpu, b->cpu);
        measure_turns(b);
    }
    atomic_store(&b->stop, true);
    sem_post(&b->over);
    leave(b);
    return NULL;
}

/* Twice as long, since the lead may have to wait for a processor first. */
static bool await_lead(bench *b)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const int64_t ns = until.tv_nsec + 2 * b->longest_ns;
    until.tv_sec += ns / TTI_NS_PER_SECOND;
    until.tv_nsec = ns % TTI_NS_PER_SECOND;
    int code;
    do
        code = sem_clockwait(&b->over, CLOCK_MONOTONIC, &until);
    while (code != 0 && errno == EINTR);
    return code == 0 && atomic_load(&b->stop); /* which the lead has set behind the figures */
}

tti_figures tti_machine_measure(int64_t longest_ns)
{
    tti_figures figures = tti_figures_unknown();
    bench *b = aligned_alloc(LINE_BYTES, (sizeof *b + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
    if (b == NULL) return figures;
    memset(b, 0, offsetof(bench, area));
    b->longest_ns = longest_ns;
    b->cpu = sched_getcpu();
    if (sched_getaffinity(0, sizeof b->own, &b->own) != 0) CPU_ZERO(&b->own);
    b->figures = figures;
    sem_init(&b->over, 0, 0);
    atomic_store(&b->users, 1);
    if (b->cpu >= 0 && start(b, lead) && await_lead(b)) figures = b->figures;
    atomic_store(&b->stop, true);
    leave(b);
    return figures;
}
