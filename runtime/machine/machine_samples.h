/* SPDX-License-Identifier: BSD-3-Clause */
/* What two threads, the lead and its mate, take the times of: what passes between them, what they copy, and
 * how they take turns. Samples are the lead's, in ns. */
#ifndef TTI_MACHINE_SAMPLES_H
#define TTI_MACHINE_SAMPLES_H

#include <sched.h>
#include <semaphore.h>
#include <stdalign.h>

#include "runtime/base/atomics.h"
#include "runtime/base/figures.h"

/* Bytes. */
#define TTI_SAMPLE_LINE 64
#define TTI_SAMPLE_BUFFER 16384
#define TTI_SAMPLE_BUFFERS 2 /* so many of them */
#define TTI_SAMPLE_LONG (1 << 20)
#define TTI_SAMPLE_STREAM (256 << 10)
#define TTI_SAMPLE_KERNEL (64 << 10)
/* What the mate does with each thing that the lead has filled in. */
enum tti_sample_work { TTI_SAMPLE_PASS, TTI_SAMPLE_TAKE_OUT, TTI_SAMPLE_TAKE_TURNS };

typedef struct {
    alignas(TTI_SAMPLE_LINE) _Atomic uint64_t filled; /* by the lead */
    alignas(TTI_SAMPLE_LINE) _Atomic uint64_t done;   /* by the mate */
    alignas(TTI_SAMPLE_LINE) _Atomic int work;        /* changed only when all that is filled is done */
    _Atomic uint32_t piece; /* bytes that TTI_SAMPLE_TAKE_OUT takes out at a time; likewise */
    _Atomic int lead_cpu;
    _Atomic bool stop;
    alignas(TTI_SAMPLE_LINE) _Atomic int users;
    cpu_set_t own; /* the caller's */
    int cpu;
    int64_t longest_ns; /* after the lead's start; later no sample is begun or waited for */
    int64_t end_ns;
    sem_t over;
    tti_figures figures;
    alignas(TTI_SAMPLE_LINE) unsigned char area[TTI_SAMPLE_BUFFERS * TTI_SAMPLE_BUFFER];
    unsigned char taken[TTI_SAMPLE_BUFFER];
    unsigned char from[TTI_SAMPLE_LONG], to[TTI_SAMPLE_LONG];
} tti_machine_bench;

/* The mate's thread; the argument is the bench. */
void *tti_sample_mate(void *bench);
/* One of `users` is through; the last one frees it. */
void tti_sample_leave(tti_machine_bench *b);

/* A sample whose time was over. */
#define TTI_SAMPLE_NEVER INT64_MAX
typedef int64_t tti_sample_fn(tti_machine_bench *b);
/* The shortest, or the middle one, of so many samples (TTI_SAMPLES_MOST at most), or of those that there is
 * time for. */
#define TTI_SAMPLES_MOST 24
int64_t tti_samples_shortest(tti_machine_bench *b, tti_sample_fn *sample, int samples);
int64_t tti_samples_middle(tti_machine_bench *b, tti_sample_fn *sample, int samples);

/* TTI_SAMPLE_PASS: one way of a line; and how long it takes to read one that the mate has written. */
int64_t tti_sample_line(tti_machine_bench *b);
int64_t tti_sample_load(tti_machine_bench *b);
/* TTI_SAMPLE_TAKE_OUT: TTI_SAMPLE_STREAM bytes in pieces, which both copy at the same time; a buffer whose
 * pieces wait for each other; one piece written past the caches. */
int64_t tti_sample_stream(tti_machine_bench *b);
int64_t tti_sample_piece(tti_machine_bench *b);
int64_t tti_sample_piece_past(tti_machine_bench *b);
/* TTI_SAMPLE_TAKE_TURNS: one switch between the two, on one processor. */
int64_t tti_sample_turns(tti_machine_bench *b);
/* Lets the mate do its work once; before turns it comes over by that. False if the time is over. */
bool tti_sample_await_mate(tti_machine_bench *b);
/* Without the mate: TTI_SAMPLE_LONG bytes; by the kernel, TTI_SAMPLE_LINE and TTI_SAMPLE_KERNEL bytes. */
int64_t tti_sample_copy(tti_machine_bench *b);
int64_t tti_sample_kernel_call(tti_machine_bench *b);
int64_t tti_sample_kernel_copy(tti_machine_bench *b);
/* Whether the kernel copies for nobody. */
bool tti_sample_is_refused(tti_machine_bench *b);

#endif
