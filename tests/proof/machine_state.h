/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine from the inside: its memory (machine_memory.c) and its steps (machine.c). */
#ifndef TESTS_PROOF_MACHINE_STATE_H
#define TESTS_PROOF_MACHINE_STATE_H

#include "tests/proof/machine.h"
#include "tests/proof/random.h"

/* What is in a byte: a map x → scale·x + add (mod 2^64). Maps are combined by one after the other, which is
 * associative and depends on the order; where the operation commutes, scale is 1. `tree` tells in which way
 * parts were combined. */
typedef struct {
    uint64_t scale, add, tree;
} cell;

/* Bytes on their way: what a step takes, or a message brings. */
typedef struct {
    cell *cells;
    size_t bytes;
} taken;

/* What others see of a rank happen, one after the other: it begins, writes to memory that they may read, and
 * ends. */
enum event { EVENT_BEGUN, EVENT_WRITTEN, EVENT_ENDED };
typedef struct {
    enum event what;
    int space;
    size_t low, bytes;
    cell *cells;
} written;

typedef struct {
    cell *spaces[TTI_WINDOW]; /* INPUT, OUTPUT, SCRATCH */
    cell *begun[TTI_SHOWN];   /* its buffers as it began */
    written *log;             /* in order */
    int logged, made;         /* events, posts so far */
    int *seen;                /* [size] of each rank's log it sees so much at least */
    int left;                 /* steps to be made */
    uint64_t priority;
} rank_state;

typedef struct {
    int rank, step, partner; /* partner: the other end of a message, numbered through all ranks */
    int waits;
    bool started, done;
    int *seen;  /* [size] SEND, POST: what the rank saw then */
    taken sent; /* SEND: what was taken at once; else no cells */
    uint64_t priority;
} step_state;

enum order { ORDER_ANY, ORDER_BY_RANK, ORDER_BY_STEP, ORDERS };

typedef struct {
    const machine_job *job;
    int callers, size; /* ranks; with the one that the last to come plays */
    int total, late;   /* late: a rank that does not begin, or -1 */
    int *first;        /* [size] */
    rank_state *ranks;
    step_state *steps;
    int *ready; /* steps that wait for nothing of their rank */
    int ready_count;
    enum order order;
    bool differ; /* a number was not what was expected, or a PUT found no buffer */
    uint64_t seed;
} machine;

static inline const tti_schedule *machine_schedule(const machine *m, int rank)
{
    return rank < m->callers ? m->job->schedules[rank] : m->job->schedules[0]->last;
}
static inline const tti_step *machine_step(const machine *m, const step_state *state)
{
    return &machine_schedule(m, state->rank)->steps[state->step];
}

machine machine_open(const machine_job *job);
void machine_close(machine *m);
/* All that was written and sent. */
void machine_forget(machine *m);
/* The buffers as they are at the beginning: contributions, and garbage elsewhere. */
void machine_fill(machine *m, int rank);
/* What of a number is in its byte `i`. */
cell machine_digit(size_t number, size_t i);
/* What the step takes now, its cells freed by the caller; what it writes, which are the machine's from then
 * on. */
taken machine_take(machine *m, const step_state *state);
void machine_put(machine *m, const step_state *state, taken t);
/* The rank begins, or has ended. */
void machine_note(machine *m, int rank, enum event what);
/* Whether rank `rank` has what it must have at the end, and what several have, combined in the same way. */
bool machine_ended_right(const machine *m, int rank);

#endif
