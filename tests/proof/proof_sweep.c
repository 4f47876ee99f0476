/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves every algorithm of the table for many shapes, in two processes, and says how much processor time
 * each took: proof_sweep [--up-to RANKS | --wide] [ALGORITHM...]. With a limit it proves few sizes, for
 * sanitized builds and for those who have no two minutes; wide, all sizes up to 130 and some up to 4,096, of
 * each few calls; with names, these algorithms alone. Of each some call must be proved. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/proof/processes.h"
#include "tests/proof/sweep.h"
#include "tests/unit/expect.h"

#define PROCESSES 2
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct {
    atomic_long calls, proofs;
} tally;

typedef struct {
    char **only; /* algorithms, with NULL behind the last; none: all */
    int up_to;   /* ranks, of few sizes; 0: all sizes */
    bool wide;
    tally *tallies; /* of each algorithm, in the order of the table, in all processes */
} effort;

static int list_sizes(int sizes[], const effort *wanted)
{
    static const int beyond[] = {37, 47, 48, 49, 63, 64, 65, 97, 128, 255, 256};
    static const int few[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 27, 33};
    static const int wide[] = {191,  192,  255,  256,  257,  500,  511,  512,
                               1000, 1023, 1024, 1025, 2048, 3000, 4095, 4096};
    int n = 0;
    for (int i = 0; i < COUNT_OF(few) && few[i] <= wanted->up_to; i++)
        sizes[n++] = few[i];
    if (wanted->up_to > 0) return n;
    for (int size = 1; size <= (wanted->wide ? SWEEP_WIDE_ALL : SWEEP_ALL); size++)
        sizes[n++] = size;
    const int *more = wanted->wide ? wide : beyond;
    for (int i = 0; i < (wanted->wide ? COUNT_OF(wide) : COUNT_OF(beyond)); i++)
        sizes[n++] = more[i];
    return n;
}

/* Sizes are dealt out by turns; process `part` takes its own. */
static void sweep_algorithm(sweep *s, const effort *wanted, int part)
{
    int sizes[SWEEP_RANKS_MOST];
    const int n = list_sizes(sizes, wanted);
    const clock_t begin = clock();
    s->looks = false;
    s->calls = s->proofs = s->steps = 0;
    for (int i = part; i < n; i += PROCESSES)
        sweep_calls(s, sizes[i]);
    printf("%-9s %-14s %7ld calls, %7ld repeats, %10ld steps, %6.2f s\n",
           tti_collective_describe(s->collective)->name, s->algorithm->name, s->calls, s->calls - s->proofs,
           s->steps, (double)(clock() - begin) / CLOCKS_PER_SEC);
    fflush(stdout);
}

static bool is_wanted(const effort *wanted, const tti_algorithm *algorithm)
{
    int place = 0;
    while (wanted->only[place] != NULL && strcmp(wanted->only[place], algorithm->name) != 0)
        place++;
    return wanted->only[0] == NULL || wanted->only[place] != NULL;
}

/* How many algorithms those before a collective have together: the place of its first one. */
static int first_of(int collective)
{
    int place = 0;
    for (int c = 0; c < collective; c++)
        place += tti_collective_describe((enum tti_collective)c)->count;
    return place;
}

static void sweep_if_wanted(sweep *s, const effort *wanted, int part)
{
    const tti_contract *contract = tti_collective_describe(s->collective);
    tally *sum = &wanted->tallies[first_of(s->collective) + (int)(s->algorithm - contract->algorithms)];
    if (!is_wanted(wanted, s->algorithm)) return;
    sweep_algorithm(s, wanted, part);
    atomic_fetch_add(&sum->calls, s->calls);
    atomic_fetch_add(&sum->proofs, s->proofs);
}

/* An algorithm that takes none of the calls that are tried would prove nothing and pass. */
static bool is_all_proved(const effort *wanted)
{
    bool all = true;
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int a = 0; a < contract->count && proved_as(contract) == NULL; a++) {
            const tti_algorithm *algorithm = &contract->algorithms[a];
            if (!is_wanted(wanted, algorithm) || atomic_load(&wanted->tallies[first_of(c) + a].calls) > 0)
                continue;
            fprintf(stderr, "proof_sweep: no call of %s %s was proved\n", contract->name, algorithm->name);
            all = false;
        }
    }
    return all;
}

/* So would a name that no algorithm has, any more. */
static bool is_known(const char *name)
{
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c);
        for (int a = 0; a < contract->count; a++)
            if (strcmp(contract->algorithms[a].name, name) == 0) return true;
    }
    fprintf(stderr, "proof_sweep: no algorithm is named %s\n", name);
    return false;
}

static tally *new_tallies(int count)
{
    void *tallies =
        mmap(NULL, (size_t)count * sizeof(tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(tallies != MAP_FAILED);
    return tallies;
}

static void print_sum(const effort *wanted)
{
    long calls = 0, proofs = 0;
    for (int place = 0; place < first_of(TTI_COLLECTIVES); place++) {
        calls += atomic_load(&wanted->tallies[place].calls);
        proofs += atomic_load(&wanted->tallies[place].proofs);
    }
    printf("%ld calls proved, %ld of them as repeats of one that was proved before\n", calls, calls - proofs);
}

static int sweep_all(const void *context, int part)
{
    const effort *wanted = context;
    sweep s = {.effort = wanted->up_to > 0 ? SWEEP_FEW_SIZES
                         : wanted->wide    ? SWEEP_WIDE
                                           : SWEEP_WHOLE,
               .checker = tti_checker_open()};
    EXPECT(s.checker != NULL);
    for (int c = 0; c < TTI_COLLECTIVES; c++) {
        const tti_contract *contract = tti_collective_describe((enum tti_collective)c),
                           *same = proved_as(contract);
        s.collective = (enum tti_collective)c;
        if (same != NULL && part == 0) printf("%-9s as %s\n", contract->name, same->name);
        for (int a = 0; a < contract->count && same == NULL; a++) {
            s.algorithm = &contract->algorithms[a];
            sweep_if_wanted(&s, wanted, part);
        }
    }
    proved_forget(&s.proved);
    tti_checker_close(s.checker);
    return 0;
}

int main(int argc, char **argv)
{
    const bool limited = argc > 2 && strcmp(argv[1], "--up-to") == 0;
    const bool wide = argc > 1 && strcmp(argv[1], "--wide") == 0;
    const int before = limited ? 3 : wide ? 2 : 1;
    const effort wanted = {.only = argv + before,
                           .up_to = limited ? atoi(argv[2]) : 0,
                           .wide = wide,
                           .tallies = new_tallies(first_of(TTI_COLLECTIVES))};
    for (char **name = argv + before; *name != NULL; name++)
        if (!is_known(*name)) return 1;
    const int status = in_processes(PROCESSES, sweep_all, &wanted);
    print_sum(&wanted);
    return status != 0 ? status : !is_all_proved(&wanted);
}
