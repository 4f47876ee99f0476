/* SPDX-License-Identifier: BSD-3-Clause */
/* Circulant graphs for ⌈log2⌉ rounds over any number of ranks: in round k a rank has to do with the two ranks
 * at a distance of skip[k] on a ring, which is half of skip[k + 1], rounded up. Pure; O(log) memory and, for
 * what one rank receives, time.
 *
 * J. Träff, "Optimal broadcast schedules in logarithmic time with applications to broadcast, all-broadcast,
 * reduction and all-reduction", 2024 (arXiv 2407.18004). */
#ifndef TTI_PATTERNS_CIRCULANT_H
#define TTI_PATTERNS_CIRCULANT_H

#define TTI_CIRCULANT_ROUNDS 32

typedef struct {
    int size, rounds;
    int skip[TTI_CIRCULANT_ROUNDS + 1]; /* skip[0] = 1, skip[rounds] = size */
} tti_circulant;

void tti_circulant_open(int size, tti_circulant *graph);

/* A broadcast of blocks 0 … blocks - 1 from place 0, as one place receives it. In round t, of
 * blocks - 1 + graph->rounds, each place gets at most one block from the place skip[k] before it, where k is
 * tti_circulant_skip(): one that this one has by then, and that itself has not. */
typedef struct {
    const tti_circulant *graph;
    int blocks;
    int idle;                           /* rounds that a whole number of turns through the skips has more */
    int number;                         /* of rounds */
    int newest;                         /* the round in which it gets the last block */
    int received[TTI_CIRCULANT_ROUNDS]; /* with each skip: the block of the first turn; one more turn is as
                                           many blocks more as there are skips */
} tti_circulant_place;

/* Index of the skip that is used in round t. */
static inline int tti_circulant_skip(const tti_circulant_place *receiver, int round)
{
    return (round + receiver->idle) % receiver->graph->rounds;
}
/* The block that the place gets in round t; -1: none. */
int tti_circulant_block(const tti_circulant_place *receiver, int round);

/* What one place has to do with: what it receives, and what the places beyond it receive from it. */
typedef struct {
    tti_circulant graph;
    tti_circulant_place own, beyond[TTI_CIRCULANT_ROUNDS]; /* by skip */
} tti_circulant_pass;
void tti_circulant_pass_open(int size, int place, int blocks, tti_circulant_pass *pass);

#endif
