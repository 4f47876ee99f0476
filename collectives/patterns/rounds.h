/* SPDX-License-Identifier: BSD-3-Clause */
/* How blocks, one of each rank, come to all ranks in few rounds: along one tree for each block, all trees
 * alike and turned (or mirrored) to where their block begins. Each rank so has an order of all blocks, its
 * own first, in which what a round brings is a row, and mostly a row as well of what the sender has. Run
 * backwards, sums go up the trees: a reduce-scatter. Pure. */
#ifndef TTI_PATTERNS_ROUNDS_H
#define TTI_PATTERNS_ROUNDS_H

#define TTI_ROUNDS_MOST 32
/* Numbers of memory that the tables need, for so many ranks. */
#define TTI_ROUNDS_NUMBERS(size) (5 * (size))

typedef struct {
    int size, rounds;
    int to[TTI_ROUNDS_MOST], from[TTI_ROUNDS_MOST]; /* whom a round sends to, and gets from */
    int have[TTI_ROUNDS_MOST +
             1]; /* blocks before each round; it brings those at have[k] … have[k + 1] - 1 */
    int *order;  /* [size] the block (number of its rank) at each position */
    int *source; /* [size] where the sender has, in its own order, what comes to a position: the same at all
                    ranks, and ascending in a round */
} tti_rounds;

/* Fills in the tables of a rank of `size`, in `memory` for TTI_ROUNDS_NUMBERS(size). */
typedef void tti_rounds_fn(int rank, int size, int *memory, tti_rounds *rounds);

/* On a circulant graph (circulant.h): blocks come from the ranks beyond, in their order; any size. */
tti_rounds_fn tti_rounds_circulant;
/* Along Bine trees (bine.h), the farthest step first; even sizes. */
tti_rounds_fn tti_rounds_bine;
/* Along binomial trees, the farthest step first: what goes far is little; any size. */
tti_rounds_fn tti_rounds_far;

#endif
