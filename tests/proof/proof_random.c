/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks proved schedules in ways drawn at random, over all algorithms: at least 99 of 100 must be caught,
 * and what is left must be no change: in executions in many orders (machine.h) all ends right. A dropped
 * dependency that others imply is not drawn, since nothing has changed; one that only paces (pairwise
 * exchanges a few peers at a time) is drawn, and not counted when all ends right without it.
 *
 * proof_random [COUNT [SEED]] */
#include <stdio.h>
#include <stdlib.h>

#include "tests/proof/random.h"
#include "tests/proof/trial.h"
#include "tests/unit/expect.h"

/* Of 10,000 the share that is caught swings by a tenth of a percent from seed to seed. */
#define USUAL 30000
#define MUTANTS_OF_A_CALL 20
#define RUNS 100

typedef struct {
    trial trial;
    uint64_t seed;
    long wanted, caught;
    long same[MUTATIONS];
} lottery;

/* Takes algorithm number `index` of all, counted through the collectives; returns how many there are. */
static int take_algorithm(trial *t, int index)
{
    int before = 0;
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        if (index >= before && index < before + contract->count) {
            t->collective = (enum tti_collective)c;
            t->algorithm = &contract->algorithms[index - before];
        }
        before += contract->count;
    }
    return before;
}

static void draw_call(lottery *l)
{
    trial *t = &l->trial;
    do
        take_algorithm(t, random_below(&l->seed, take_algorithm(t, 0)));
    while (
        !trial_take_shape(t, random_below(&l->seed, TRIAL_SHAPES), random_below(&l->seed, TRIAL_VARIANTS)));
}

static bool draw_mutation(lottery *l, draft *changed)
{
    trial *t = &l->trial;
    t->rank = random_below(&l->seed, trial_ranks(t));
    t->mutation = (enum mutation)random_below(&l->seed, MUTATIONS);
    const tti_schedule *schedule = trial_schedule(t, t->rank);
    const int places =
        mutation_of_edge(t->mutation) ? schedule->next_start[schedule->count] : schedule->count;
    if (places == 0) return false;
    t->at = random_below(&l->seed, places);
    return trial_change(t, changed);
}

/* One mutant more, unless what was drawn is none. */
static void draw(lottery *l)
{
    draft changed;
    if (!draw_mutation(l, &changed)) return;
    const enum verdict verdict = trial_judge(&l->trial, &changed);
    draft_free(&changed);
    if (verdict == VERDICT_MISSED) {
        trial_report(&l->trial);
        exit(1);
    }
    l->caught += verdict == VERDICT_CAUGHT;
    l->same[l->trial.mutation] += verdict == VERDICT_SAME;
    l->wanted -= verdict != VERDICT_IMPLIED;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : USUAL;
    lottery l = {.trial.checker = tti_checker_open(),
                 .trial.runs = RUNS,
                 .seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1,
                 .wanted = count};
    EXPECT(l.trial.checker != NULL);
    while (l.wanted > 0) {
        draw_call(&l);
        trial_begin(&l.trial);
        for (int i = 0; i < MUTANTS_OF_A_CALL && l.wanted > 0; i++)
            draw(&l);
        trial_end(&l.trial);
    }
    printf("%ld of %ld mutants caught; of the others all executions end right:\n", l.caught, count);
    for (int m = 0; m < MUTATIONS; m++)
        if (l.same[m] > 0) printf("%6ld of %s\n", l.same[m], mutation_name((enum mutation)m));
    EXPECT(l.caught * 100 >= (count - l.same[MUTATION_UNTIE]) * 99);
    tti_checker_close(l.trial.checker);
    return 0;
}
