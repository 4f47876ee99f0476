/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/machine_samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/past.h"
#include "runtime/base/timed_load.h"
#include "runtime/machine/machine_cpus.h"

/* Rounds of what is too short for a clock. */
#define ROUNDS 40
#define TURNS 12

void tti_sample_leave(tti_machine_bench *b)
{
    if (atomic_fetch_sub(&b->users, 1) > 1) return;
    sem_destroy(&b->over);
    free(b);
}

static bool is_over(const tti_machine_bench *b)
{
    return atomic_load_explicit(&b->stop, memory_order_relaxed) || tti_clock_ns() > b->end_ns;
}

/* Until a count has come to `number`; false if the time is over. */
static bool await(const tti_machine_bench *b, const _Atomic uint64_t *count, uint64_t number, bool yield)
{
    for (unsigned looks = 1; atomic_load_explicit(count, memory_order_acquire) < number; looks++) {
        if (yield) sched_yield();
        if (looks % 64 == 0 && is_over(b)) return false;
    }
    return true;
}

void *tti_sample_mate(void *argument)
{
    tti_machine_bench *b = argument;
    bool turns = false;
    for (uint64_t next = 1; await(b, &b->filled, next, turns); next++) {
        const int work = atomic_load(&b->work);
        if (work == TTI_SAMPLE_TAKE_OUT)
            memcpy(b->taken, b->area + next % TTI_SAMPLE_BUFFERS * TTI_SAMPLE_BUFFER, atomic_load(&b->piece));
        if (work == TTI_SAMPLE_TAKE_TURNS && !turns) turns = tti_machine_move_to(atomic_load(&b->lead_cpu));
        atomic_store_explicit(&b->done, next, memory_order_release);
    }
    tti_sample_leave(b);
    return NULL;
}

static void post(tti_machine_bench *b)
{
    atomic_store_explicit(&b->filled, atomic_load_explicit(&b->filled, memory_order_relaxed) + 1,
                          memory_order_release);
}

static bool await_all(const tti_machine_bench *b, bool yield)
{
    return await(b, &b->done, atomic_load_explicit(&b->filled, memory_order_relaxed), yield);
}

bool tti_sample_await_mate(tti_machine_bench *b)
{
    post(b);
    return await_all(b, true);
}

int64_t tti_sample_line(tti_machine_bench *b)
{
    const int64_t begun = tti_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        post(b);
        if (!await_all(b, false)) return TTI_SAMPLE_NEVER;
    }
    return (tti_clock_ns() - begun) / (2 * ROUNDS);
}

/* Long enough for the mate to answer, while the lead leaves the line alone. */
#define ANSWERED_NS 3000

int64_t tti_sample_load(tti_machine_bench *b)
{
    post(b);
    for (const int64_t begun = tti_clock_ns(); tti_clock_ns() < begun + ANSWERED_NS;)
        continue;
    const tti_timed_load seen = tti_load_timed(&b->done);
    return await_all(b, false) && seen.value == atomic_load(&b->filled) ? seen.ns : TTI_SAMPLE_NEVER;
}

typedef void copy_fn(void *to, const void *from, size_t bytes);

static void copy_through(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Copies in piece by piece, at most so many ahead of the mate. */
static int64_t pass_pieces(tti_machine_bench *b, copy_fn *copy, size_t bytes, uint64_t ahead)
{
    const size_t piece = atomic_load(&b->piece);
    const int64_t begun = tti_clock_ns();
    for (size_t at = 0; at < bytes; at += piece) {
        const uint64_t number = atomic_load_explicit(&b->filled, memory_order_relaxed) + 1;
        if (number > ahead && !await(b, &b->done, number - ahead, false)) return TTI_SAMPLE_NEVER;
        copy(b->area + number % TTI_SAMPLE_BUFFERS * TTI_SAMPLE_BUFFER, b->from + at, piece);
        post(b);
    }
    return await_all(b, false) ? tti_clock_ns() - begun : TTI_SAMPLE_NEVER;
}

int64_t tti_sample_stream(tti_machine_bench *b)
{
    return pass_pieces(b, copy_through, TTI_SAMPLE_STREAM, TTI_SAMPLE_BUFFERS);
}

int64_t tti_sample_piece(tti_machine_bench *b)
{
    return pass_pieces(b, copy_through, TTI_SAMPLE_BUFFER, 1);
}

int64_t tti_sample_piece_past(tti_machine_bench *b)
{
    return pass_pieces(b, tti_copy_past, atomic_load(&b->piece), 1);
}

int64_t tti_sample_turns(tti_machine_bench *b)
{
    const int64_t begun = tti_clock_ns();
    for (int i = 0; i < TURNS; i++) {
        post(b);
        if (!await_all(b, true)) return TTI_SAMPLE_NEVER;
    }
    return (tti_clock_ns() - begun) / (2 * TURNS);
}

int64_t tti_sample_copy(tti_machine_bench *b)
{
    const int64_t begun = tti_clock_ns();
    memcpy(b->to, b->from, TTI_SAMPLE_LONG);
    return tti_clock_ns() - begun;
}

/* From this very process: the same way through the kernel as from another. */
static int64_t copy_by_kernel(tti_machine_bench *b, size_t bytes)
{
    const struct iovec here = {b->to, bytes}, there = {b->from, bytes};
    const int64_t begun = tti_clock_ns();
    const ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return n == (ssize_t)bytes ? tti_clock_ns() - begun : TTI_SAMPLE_NEVER;
}

int64_t tti_sample_kernel_call(tti_machine_bench *b)
{
    return copy_by_kernel(b, TTI_SAMPLE_LINE);
}

int64_t tti_sample_kernel_copy(tti_machine_bench *b)
{
    return copy_by_kernel(b, TTI_SAMPLE_KERNEL);
}

bool tti_sample_is_refused(tti_machine_bench *b)
{
    const struct iovec here = {b->to, 1}, there = {b->from, 1};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0 && (errno == EPERM || errno == ENOSYS);
}

int64_t tti_samples_shortest(tti_machine_bench *b, tti_sample_fn *sample, int samples)
{
    int64_t best = TTI_SAMPLE_NEVER;
    for (int i = 0; i < samples && !is_over(b); i++) {
        const int64_t took = sample(b);
        if (took < best) best = took;
    }
    return best;
}

int64_t tti_samples_middle(tti_machine_bench *b, tti_sample_fn *sample, int samples)
{
    int64_t took[TTI_SAMPLES_MOST];
    int count = 0;
    while (count < samples && !is_over(b))
        took[count++] = sample(b);
    tti_figures_sort(took, count);
    return count > 0 ? took[count / 2] : TTI_SAMPLE_NEVER;
}
