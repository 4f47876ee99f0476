/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves every algorithm of the table for many shapes, in two processes, and says how long each took:
 * proof_sweep [--up-to RANKS | --wide] [ALGORITHM...]. With a limit it proves few sizes, for sanitized builds
 * and for those who have no ten minutes; wide, all sizes up to 130 and some up to 4,096, of each few calls;
 * with names, these algorithms alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "tests/proof/processes.h"
#include "tests/proof/sweep.h"
#include "tests/unit/expect.h"

#define PROCESSES 2
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct {
    char **only; /* algorithms, with NULL behind the last; none: all */
    int up_to;   /* ranks, of few sizes; 0: all sizes */
    bool wide;
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
    const int64_t begin = tti_clock_ns();
    s->calls = s->proofs = s->steps = 0;
    for (int i = part; i < n; i += PROCESSES)
        sweep_calls(s, sizes[i]);
    proved_forget(&s->proved);
    printf("%-9s %-14s %7ld calls, %7ld proofs, %10ld steps, %6.2f s\n",
           tti_collective_describe(s->collective)->name, s->algorithm->name, s->calls, s->proofs, s->steps,
           (double)(tti_clock_ns() - begin) * 1e-9);
    fflush(stdout);
}

static bool is_wanted(const effort *wanted, const tti_algorithm *algorithm)
{
    char **name = wanted->only;
    while (*name != NULL && strcmp(*name, algorithm->name) != 0)
        name++;
    return *name != NULL || wanted->only[0] == NULL;
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
            if (is_wanted(wanted, s.algorithm)) sweep_algorithm(&s, wanted, part);
        }
    }
    tti_checker_close(s.checker);
    return 0;
}

int main(int argc, char **argv)
{
    const bool limited = argc > 2 && strcmp(argv[1], "--up-to") == 0;
    const bool wide = argc > 1 && strcmp(argv[1], "--wide") == 0;
    const effort wanted = {.only = argv + (limited ? 3
                                           : wide  ? 2
                                                   : 1),
                           .up_to = limited ? atoi(argv[2]) : 0,
                           .wide = wide};
    return in_processes(PROCESSES, sweep_all, &wanted);
}
