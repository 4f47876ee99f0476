/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule in a form that is easy to change, and the ways to change it. */
#ifndef TESTS_PROOF_DRAFT_H
#define TESTS_PROOF_DRAFT_H

#include "collectives/contract/algorithm.h"

typedef struct {
    int before, after;
} draft_edge;

typedef struct {
    tti_step *steps; /* with room for one more */
    draft_edge *edges;
    int count, edge_count;
    size_t scratch, window, element;
    tti_need *needs;
    int need_count;
    const tti_schedule *last;
    tti_shown shown[TTI_SHOWN];
} draft;

draft draft_of(const tti_schedule *schedule);
/* The needs of a schedule. */
void draft_take_needs(draft *d, const tti_schedule *schedule);
void draft_free(draft *d);
/* Its schedule; freed by tti_schedule_free(). Edges may be in any order. */
tti_schedule *draft_schedule(const draft *d);
/* Whether a way leads from one step to a later one. */
bool draft_leads(const draft *d, int from, int to);

/* What can be done to one step, or to a dependency. */
enum mutation {
    MUTATION_DROP,    /* the step is not there */
    MUTATION_TWICE,   /* a REDUCE is done twice; a COPY or PUT is, in no order */
    MUTATION_PEER,    /* another rank; of a WINDOW that is read, the own; of a POST for all, one */
    MUTATION_TAG,     /* another tag, or number of a POST */
    MUTATION_EARLIER, /* the number of the post before */
    MUTATION_BYTES,   /* an element less */
    MUTATION_FROM,    /* an element further */
    MUTATION_TO,
    MUTATION_BACK,  /* an element before, of what is read */
    MUTATION_NEED,  /* of a need, a number that is not looked at */
    MUTATION_ORDER, /* two REDUCEs to one place, one after the other, take each other's source */
    MUTATION_UNTIE, /* of a dependency: it is not there */
    MUTATION_SWAP,  /* of a dependency: its two steps each take the other's place */
    MUTATIONS
};

/* Whether it changes a dependency and not a step. */
static inline bool mutation_of_edge(enum mutation mutation)
{
    return mutation == MUTATION_UNTIE || mutation == MUTATION_SWAP;
}
const char *mutation_name(enum mutation mutation);

/* What a mutation needs to know of the call. */
typedef struct {
    int rank;
    const tti_shape *shape;
} mutation_call;

/* Applies it to step, or edge, number `at`. False: there is no such change, and nothing was done. */
bool draft_mutate(draft *d, enum mutation mutation, int at, const mutation_call *call);

#endif
