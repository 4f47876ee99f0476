/* SPDX-License-Identifier: BSD-3-Clause */
/* Binomial trees and butterflies over negabinary numbers: in step j an even place has to do with the one
 * 1 - 2 + 4 - … ± 2^j beyond it, an odd one with that as far before it. The distances are two thirds of a
 * binomial tree's, and those of different steps go in turns to either side. An even number of places. Pure.
 *
 * D. De Sensi et al., "Bine trees: enhancing collective operations by optimizing communication locality",
 * 2025; the same distances: D. De Sensi et al., "Swing: short-cutting rings for higher bandwidth allreduce",
 * 2024. */
#ifndef TTI_PATTERNS_BINE_H
#define TTI_PATTERNS_BINE_H

#include "collectives/patterns/parts.h"

#define TTI_BINE_STEPS 31
/* Numbers of memory that the tables need, for so many places. */
#define TTI_BINE_NUMBERS(size) (3 * (size))

/* Steps that reach all of `size` places: ⌈log2⌉. */
int tti_bine_steps(int size);

static inline int tti_bine_partner(int place, int step, int size)
{
    const long long power = 2LL << step; /* (1 ± 2^(step + 1)) / 3, the upper sign for even steps */
    const long long distance = step % 2 == 0 ? (1 + power) / 3 : (1 - power) / 3;
    return tti_ring(place, (int)((place % 2 == 0 ? distance : -distance) % size), size);
}

/* From place 0 along the steps, the farthest first, to whoever has not been reached: at[w] is the place at
 * the end of the way w, whose bit r says that it takes the r-th step, or -1. Returns the number of steps q;
 * at[] has 2^q elements. `memory` for TTI_BINE_NUMBERS(size), of which at[] is the first part. */
int tti_bine_ways(int size, int *memory);

/* The tree that these ways make, seen from a place; of an odd size the last one hangs from place 0. */
typedef struct {
    int parent;   /* -1 at place 0 */
    int children; /* reached first: those with the greatest subtrees, and farthest */
    int child[TTI_BINE_STEPS + 1];
} tti_bine_tree;
void tti_bine_tree_open(int place, int size, int *memory, tti_bine_tree *tree);

#endif
