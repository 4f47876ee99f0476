/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive splitting, the reduce-scatter phase of several algorithms, in the groups of recursive multiplying
 * (patterns/multiply.h). */
#ifndef TTI_COMPOSE_RECURSIVE_SPLIT_H
#define TTI_COMPOSE_RECURSIVE_SPLIT_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/multiply.h"

/* One level: the members of a group each have contributions to all pieces, and member i is to combine piece
 * i. */
typedef struct {
    const tti_multiply *plan;
    tti_multiply_group group;
    int tag;
    struct {
        size_t at, bytes; /* from where the level's data begin */
    } piece[TTI_RADIX_MAX];
} tti_split;

/* The caller's contributions begin at `sum`. Sends each of the others its piece, and combines theirs to its
 * own, in the order of members. Returns where that is: `aside`, if it would have to be in INPUT. */
tti_place tti_split_level(tti_builder *builder, const tti_split *split, tti_place sum, tti_place aside);

#endif
