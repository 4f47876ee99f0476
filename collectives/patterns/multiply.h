/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive multiplying over any number of ranks: a core of f0 · f1 · … ranks (each factor at most the radix)
 * exchanges in as many levels; the ranks beyond are folded, each into its lower neighbour. Pure. */
#ifndef TTI_PATTERNS_MULTIPLY_H
#define TTI_PATTERNS_MULTIPLY_H

#include <stdbool.h>

#define TTI_MULTIPLY_LEVELS 32

typedef struct {
    int size;
    int core;   /* ranks that exchange */
    int folded; /* size - core: ranks 1, 3, … 2·folded - 1 give their part to the rank below them */
    int levels;
    int factor[TTI_MULTIPLY_LEVELS];
} tti_multiply;

/* Least rounds (levels, and two for folding), then the largest core. */
void tti_multiply_plan(int size, int radix, tti_multiply *plan);

/* Place of a rank in the core, or -1 if it is folded. Places are in rank order. */
int tti_multiply_place(const tti_multiply *plan, int rank);
/* Rank of a place. */
int tti_multiply_rank(const tti_multiply *plan, int place);
/* True if a rank of the core has a folded one above it. */
bool tti_multiply_has_folded(const tti_multiply *plan, int rank);

/* One level seen from one place: it and its partners are places base + i · stride, i = 0 … factor-1, itself
 * i = mine. Before the level each stands for the `stride` places from base + i · stride on (in rank order).
 */
typedef struct {
    int factor, mine, base, stride;
} tti_multiply_group;
tti_multiply_group tti_multiply_level(const tti_multiply *plan, int place, int level);
/* Rank of member i. */
int tti_multiply_member(const tti_multiply *plan, const tti_multiply_group *group, int i);

#endif
