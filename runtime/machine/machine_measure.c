/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of their own: the lead runs where the caller does, the mate on a processor beside it, and at
 * the end both on one. The caller sleeps meanwhile, for a bounded time; a thread that does not come to run
 * then ends on its own, and the last one frees what they share. Of several short samples the shortest counts:
 * what else the machine does makes some longer. Of passing data the middle one does: the first may be
 * shorter, as long as no cache holds the buffer. */
#include "runtime/machine/machine_measure.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/own_cpus.h"
#include "runtime/machine/machine_cache.h"
#include "runtime/machine/machine_cpus.h"
#include "runtime/machine/machine_samples.h"

#define SMALL_PIECE 1024
/* Samples of what is long, and of what is not so short that it takes the most. */
#define LONG_SAMPLES 3
#define SAMPLES 6
#define SHORT_SAMPLES TTI_SAMPLES_MOST

static void note(tti_machine_bench *b, enum tti_figure figure, int64_t value)
{
    if (tti_figure_fits(figure, value)) b->figures.value[figure] = value;
}

static void measure_alone(tti_machine_bench *b)
{
    note(b, TTI_FIGURE_CACHE, tti_machine_cache_share(b->cpu));
    note(b, TTI_FIGURE_COPY_MIB, tti_samples_shortest(b, tti_sample_copy, LONG_SAMPLES));
    if (tti_sample_is_refused(b)) {
        b->figures.value[TTI_FIGURE_KERNEL_CALL] = b->figures.value[TTI_FIGURE_KERNEL_MIB] = TTI_FIGURE_NONE;
        return;
    }
    const int64_t call = tti_samples_shortest(b, tti_sample_kernel_call, SHORT_SAMPLES);
    const int64_t some = tti_samples_shortest(b, tti_sample_kernel_copy, SHORT_SAMPLES);
    note(b, TTI_FIGURE_KERNEL_CALL, call);
    if (call < some && some < TTI_SAMPLE_NEVER)
        note(b, TTI_FIGURE_KERNEL_MIB, (some - call) * (TTI_SAMPLE_LONG / TTI_SAMPLE_KERNEL));
}

static void note_per_mib(tti_machine_bench *b, enum tti_figure figure, int64_t took, int64_t bytes)
{
    if (took < TTI_SAMPLE_NEVER) note(b, figure, took * TTI_SAMPLE_LONG / bytes);
}

/* Of pieces of two sizes: what bytes cost, and what is left of the smaller without the two passages of its
 * flags.
 */
static void measure_past(tti_machine_bench *b)
{
    const int64_t large = tti_samples_middle(b, tti_sample_piece_past, SHORT_SAMPLES);
    atomic_store(&b->piece, SMALL_PIECE);
    const int64_t small = tti_samples_middle(b, tti_sample_piece_past, SHORT_SAMPLES),
                  line = b->figures.value[TTI_FIGURE_LINE];
    if (large == TTI_SAMPLE_NEVER || small >= large) return;
    const int64_t bytes = (large - small) * SMALL_PIECE / (TTI_SAMPLE_BUFFER - SMALL_PIECE),
                  rest = small - bytes - 2 * line;
    note_per_mib(b, TTI_FIGURE_PAST_MIB, large - small, TTI_SAMPLE_BUFFER - SMALL_PIECE);
    note(b, TTI_FIGURE_PAST_CALL, rest > 1 ? rest : 1);
}

static void measure_across(tti_machine_bench *b)
{
    note(b, TTI_FIGURE_LINE, tti_samples_shortest(b, tti_sample_line, SAMPLES));
    note(b, TTI_FIGURE_LOAD, tti_samples_middle(b, tti_sample_load, SHORT_SAMPLES));
    atomic_store(&b->piece, TTI_SAMPLE_BUFFER);
    atomic_store(&b->work, TTI_SAMPLE_TAKE_OUT);
    note_per_mib(b, TTI_FIGURE_PIECE_MIB, tti_samples_middle(b, tti_sample_piece, SHORT_SAMPLES),
                 TTI_SAMPLE_BUFFER);
    measure_past(b);
    atomic_store(&b->piece, TTI_SAMPLE_BUFFER);
    note_per_mib(b, TTI_FIGURE_SHARED_MIB, tti_samples_middle(b, tti_sample_stream, SAMPLES),
                 TTI_SAMPLE_STREAM);
}

static void measure_turns(tti_machine_bench *b)
{
    atomic_store(&b->work, TTI_SAMPLE_TAKE_TURNS);
    if (tti_sample_await_mate(b))
        note(b, TTI_FIGURE_SWITCH, tti_samples_shortest(b, tti_sample_turns, SAMPLES));
}

static bool start(tti_machine_bench *b, void *(*run)(void *))
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
    tti_machine_bench *b = argument;
    b->end_ns = tti_clock_ns() + b->longest_ns;
    memset(b->from, 1, sizeof b->from); /* pages of its own */
    measure_alone(b);
    const int beside = tti_machine_cpu_beside(b->cpu, &b->own);
    const bool apart = beside >= 0 && tti_machine_move_to(beside);
    const bool here = apart || tti_machine_move_to(b->cpu);
    if (here && start(b, tti_sample_mate)) {
        if (apart && tti_machine_move_to(b->cpu)) measure_across(b);
        atomic_store(&b->lead_cpu, b->cpu);
        measure_turns(b);
    }
    atomic_store(&b->stop, true);
    sem_post(&b->over);
    tti_sample_leave(b);
    return NULL;
}

/* Twice as long, since the lead may have to wait for a processor first. */
static bool await_lead(tti_machine_bench *b)
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
    tti_machine_bench *b =
        aligned_alloc(TTI_SAMPLE_LINE, (sizeof *b + TTI_SAMPLE_LINE - 1) / TTI_SAMPLE_LINE * TTI_SAMPLE_LINE);
    if (b == NULL) return figures;
    memset(b, 0, offsetof(tti_machine_bench, area));
    b->longest_ns = longest_ns;
    b->cpu = sched_getcpu();
    b->own = tti_own_cpus();
    b->figures = figures;
    sem_init(&b->over, 0, 0);
    atomic_store(&b->users, 1);
    if (b->cpu >= 0 && start(b, lead) && await_lead(b)) figures = b->figures;
    atomic_store(&b->stop, true);
    tti_sample_leave(b);
    return figures;
}
