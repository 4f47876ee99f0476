/* SPDX-License-Identifier: BSD-3-Clause */
/* For how long ranks have had each processor of this machine: all jobs of a user add up their ranks' turns in
 * a file that they map. So a rank that waits long for the processor that it has yielded can tell the ranks of
 * another job, or of another host where several are one machine's namespaces or containers, from a program
 * that computes. Without the file nothing is known of other jobs. It is opened by ranks that have missed
 * their processor, so that others look at no disk. Under the lock. */
#ifndef TTI_PROGRESS_TURNS_H
#define TTI_PROGRESS_TURNS_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of one processor. */
typedef struct {
    alignas(64) _Atomic int64_t ns; /* rough ones, for which ranks have had it */
} tti_turns_line;

typedef struct {
    bool opened;        /* or it could not be */
    tti_turns_line *of; /* by processor; NULL: there is no file */
    int processors;
    int here;     /* where this rank's last turn ended; below 0: not known */
    int64_t then; /* what the line said at that time */
} tti_turns;

/* Takes part from here on, if there can be a file; once. */
void tti_turns_open(tti_turns *turns);
/* A turn of this rank's ends, of so many rough ns; no more than `most` of them count. */
void tti_turns_end(tti_turns *turns, int64_t took, int64_t most);
/* For how long, in rough ns, other ranks have had the processor since then; 0 if nothing is known. */
int64_t tti_turns_since(const tti_turns *turns);
/* All zero, it may be used again. */
void tti_turns_close(tti_turns *turns);

#endif
