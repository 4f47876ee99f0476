/* SPDX-License-Identifier: BSD-3-Clause */
/* Proved schedules of one call, of which one is changed at a time. */
#ifndef TESTS_PROOF_TRIAL_H
#define TESTS_PROOF_TRIAL_H

#include "collectives/proof/checker.h"
#include "tests/proof/digest.h"
#include "tests/proof/draft.h"

#define TRIAL_RANKS 16

typedef struct {
    tti_checker *checker;
    enum tti_collective collective;
    const tti_algorithm *algorithm;
    tti_shape shape;
    bool uneven; /* WINDOWs differ from node to node */
    tti_schedule *schedules[TRIAL_RANKS];
    digest digest; /* of what is proved */
    int runs;      /* executions in which a change that the proof lets pass must do no harm */
    enum mutation mutation;
    int rank, at; /* whose schedule is changed, the last to come's where it is that of no rank; at which step
                     or dependency */
} trial;

/* What a change comes to. */
enum verdict {
    VERDICT_CAUGHT,
    VERDICT_IMPLIED, /* a dropped dependency that others imply: nothing has changed */
    VERDICT_SAME,    /* the proof holds, and so do executions in many orders */
    VERDICT_MISSED   /* the proof holds, and an execution goes wrong */
};

/* Shapes of calls: number `index` (by size), in variants. False: the algorithm has no such variant. */
#define TRIAL_SHAPES 6
#define TRIAL_VARIANTS 8
bool trial_take_shape(trial *t, int index, int variant);

/* Builds, proves and executes the schedules of the shape, which must be right. */
void trial_begin(trial *t);
void trial_end(trial *t);

/* Whose schedules there are to change. */
static inline int trial_ranks(const trial *t)
{
    return t->shape.size + (t->schedules[0]->last != NULL);
}
static inline tti_schedule *trial_schedule(const trial *t, int rank)
{
    return rank < t->shape.size ? t->schedules[rank] : t->schedules[0]->last;
}

/* Changes a copy of the schedule of t->rank as t says; false: there is no such change. */
bool trial_change(const trial *t, draft *changed);
/* Whether the proof holds with `changed` in place of that schedule. */
bool trial_holds(trial *t, const draft *changed);
/* Whether executions do. */
bool trial_runs(trial *t, const draft *changed);
enum verdict trial_judge(trial *t, const draft *changed);
/* Says on stderr what was changed, and that it was not noticed. */
void trial_report(const trial *t);

#endif
