/* SPDX-License-Identifier: BSD-3-Clause */
/* What the two files of `storm` share: operations of every kind, each ending at every rank when any rank
 * dies. */
#ifndef TESTS_FAULT_STORM_H
#define TESTS_FAULT_STORM_H

#include <stdbool.h>
#include <stdint.h>
#include <tutti/tutti.h>

/* Largest message, in bytes. */
#define STORM_MOST (512 << 10)
#define STORM_RANKS 64

/* Who takes part; set by storm_open(). */
typedef struct {
    tutti_comm *world;
    int rank, size;
    uint64_t random;         /* the same at all ranks */
    unsigned char *out, *in; /* STORM_MOST for each rank */
    tutti_request *alarm;    /* ends when any rank dies */
    tutti_window *window;
    unsigned char *window_base; /* of tutti_mem_alloc() */
} storm;

/* 0, or the error of the first call that failed. */
int storm_open(storm *s, uint64_t seed);
/* One operation, drawn from s->random; the data that a successful one gave is right, or the job is aborted.
 * *name says which. */
int storm_round(storm *s, const char **name);
/* Not `whole`: after a death, when survivors may still look into the window's memory: it stays. */
void storm_close(storm *s, bool whole);

#endif
