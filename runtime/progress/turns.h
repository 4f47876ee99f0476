/* SPDX-License-Identifier: BSD-3-Clause */
/* When ranks last had each processor of this machine: all jobs of a user note it in a file that they map. So
 * a rank that waits long for the processor that it has yielded can tell many turns of ranks, also of another
 * job's, or of another host's where several are one machine's namespaces or containers, from a program that
 * computes: in between there are gaps in which no rank has had it. How long turns take together does not
 * tell: much of them is switching between ranks. Without the file nothing is known. It is opened by ranks
 * that have missed their processor, so that others look at no disk. Under the lock. */
#ifndef TTI_PROGRESS_TURNS_H
#define TTI_PROGRESS_TURNS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The turns of ranks on one processor; times are rough ns (base/clock.h). */
typedef struct {
    alignas(64) _Atomic int64_t last; /* a rank's turn began or ended */
    _Atomic int64_t missed;           /* all gaps together */
} tti_turns_line;

typedef struct {
    bool opened;        /* or it could not be */
    tti_turns_line *of; /* by processor; NULL: there is no file */
    int processors;
    int here;     /* where this rank's last turn ended; below 0: not known */
    int64_t then; /* what was missed there at that time */
} tti_turns;

/* Takes part from here on, if there can be a file; once. */
void tti_turns_open(tti_turns *turns);
/* A turn of this rank's ends, or begins. */
void tti_turns_end(tti_turns *turns, int64_t now);
void tti_turns_begin(tti_turns *turns, int64_t now);
/* For how long, since this rank's last turn ended, no rank has had the processor on which it did; below 0:
 * nothing is known of that. */
int64_t tti_turns_missed(const tti_turns *turns);
/* All zero, it may be used again. */
void tti_turns_close(tti_turns *turns);

#endif
