/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks proved schedules in every way at every place, one at a time, and expects the checker to notice each.
 *
 * Some changes are none, and there the proof may still hold. A dropped dependency that others imply: there it
 * must. One that a barrier can do without, or that only bounds how many messages are under way. And on shared
 * memory, what leaves enough order: a step that need not be, a copy that waits for less than it
 * did. And of slots that are passed on whole, with a number and little else in them, what passes on less.
 * There the schedules are executed in many orders, with what is written to memory seen early and late
 * (machine.h), and all must end right.
 *
 * proof_mutants [--reduced | --one-in N]: fewer sizes, or one change of each N, drawn at random: all take
 * seven minutes of a core. */
#include <stdio.h>
#include <string.h>

#include "tests/proof/processes.h"
#include "tests/proof/random.h"
#include "tests/proof/trial.h"
#include "tests/unit/expect.h"

#define PROCESSES 4
#define RUNS 20
/* On shared memory, where each rank has to do with each, schedules are long: up to so many ranks, and of more
 * than so few some. proof_random has more. */
#define MOST_SHARING 9
#define ALL_RANKS 4

typedef struct {
    bool reduced;
    int one_in; /* of how many changes one is tried */
} scope;

typedef struct {
    trial trial;
    const scope *scope;
    uint64_t seed; /* of the draw, the same for each algorithm */
    long caught, equivalent;
} sweep;

static bool shares(const trial *t)
{
    return t->shape.window > 0;
}

static bool is_meeting(const trial *t, int step)
{
    return tti_step_is_meeting(&trial_schedule(t, t->rank)->steps[step]);
}

/* Of messages alone an exchange of steps is left to chance (proof_random.c). */
static bool is_tried(const trial *t, const draft *original)
{
    if (t->mutation != MUTATION_SWAP) return true;
    const draft_edge *edge = &original->edges[t->at];
    return is_meeting(t, edge->before) || is_meeting(t, edge->after);
}

/* More of a slot may move than is used. */
static bool has_slots(const trial *t)
{
    return trial_schedule(t, t->rank)->need_count > 0;
}

/* Whether a change that is not noticed can be none. */
static bool may_be_same(const trial *t)
{
    return t->mutation == MUTATION_UNTIE || shares(t) || has_slots(t);
}

static void judge(sweep *s, const draft *changed)
{
    const enum verdict verdict = trial_judge(&s->trial, changed);
    if (verdict == VERDICT_MISSED || (verdict == VERDICT_SAME && !may_be_same(&s->trial))) {
        trial_report(&s->trial);
        exit(1);
    }
    s->caught += verdict == VERDICT_CAUGHT;
    s->equivalent += verdict != VERDICT_CAUGHT;
}

static void mutate_rank(sweep *s)
{
    trial *t = &s->trial;
    draft original = draft_of(trial_schedule(t, t->rank)), changed;
    for (int m = 0; m < MUTATIONS; m++) {
        t->mutation = (enum mutation)m;
        const int places = mutation_of_edge(t->mutation) ? original.edge_count : original.count;
        for (t->at = 0; t->at < places; t->at++) {
            if (random_below(&s->seed, s->scope->one_in) != 0) continue;
            if (!is_tried(t, &original) || !trial_change(t, &changed)) continue;
            judge(s, &changed);
            draft_free(&changed);
        }
    }
    draft_free(&original);
}

static bool is_taken(const trial *t, int rank)
{
    const int size = t->shape.size;
    return !shares(t) || size <= ALL_RANKS || rank < 2 || rank >= size - 1;
}

static void mutate_shapes(sweep *s)
{
    trial *t = &s->trial;
    for (int i = 0; i < (s->scope->reduced ? 3 : TRIAL_SHAPES); i++)
        for (int variant = 0; variant < TRIAL_VARIANTS; variant++) {
            if (!trial_take_shape(t, i, variant) || (shares(t) && t->shape.size > MOST_SHARING)) continue;
            trial_begin(t);
            for (t->rank = 0; t->rank < trial_ranks(t); t->rank++)
                if (is_taken(t, t->rank)) mutate_rank(s);
            trial_end(t);
        }
}

static void mutate_algorithm(sweep *s)
{
    s->caught = s->equivalent = 0;
    s->seed = 1;
    mutate_shapes(s);
    printf("%-9s %-14s %6ld mutants caught, %5ld equivalent\n",
           tti_collective_describe(s->trial.collective)->name, s->trial.algorithm->name, s->caught,
           s->equivalent);
    fflush(stdout);
    EXPECT(s->caught > 0);
}

/* Algorithms are dealt out by turns. */
static int mutate_all(const void *range, int part)
{
    sweep s = {.trial.checker = tti_checker_open(), .trial.runs = RUNS, .scope = range};
    int number = 0;
    EXPECT(s.trial.checker != NULL);
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int a = 0; a < contract->count; a++) {
            if (number++ % PROCESSES != part) continue;
            s.trial.collective = (enum tti_collective)c;
            s.trial.algorithm = &contract->algorithms[a];
            mutate_algorithm(&s);
        }
    }
    tti_checker_close(s.trial.checker);
    return 0;
}

int main(int argc, char **argv)
{
    scope range = {.one_in = 1};
    range.reduced = argc == 2 && strcmp(argv[1], "--reduced") == 0;
    if (argc == 3 && strcmp(argv[1], "--one-in") == 0) range.one_in = atoi(argv[2]);
    if (range.one_in < 1 || (argc > 1 && !range.reduced && range.one_in == 1)) {
        fprintf(stderr, "usage: proof_mutants [--reduced | --one-in N]\n");
        return 2;
    }
    return in_processes(PROCESSES, mutate_all, &range);
}
