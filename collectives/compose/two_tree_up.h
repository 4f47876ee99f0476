/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks up two binary trees by turns (patterns/two_tree.h): the phase of reduce and allreduce. */
#ifndef TTI_COMPOSE_TWO_TREE_UP_H
#define TTI_COMPOSE_TWO_TREE_UP_H

#include "collectives/compose/buffers.h"
#include "collectives/contract/algorithm.h"
#include "collectives/patterns/two_tree.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    int turn; /* the rank that is place 0 */
    tti_two_tree tree[2];
    tti_buffers buffers; /* two for a chunk: for what comes in, and what comes of it */
} tti_two_tree_up;

/* One chunk: bytes `at` … `at + bytes` - 1, the number-th. */
typedef struct {
    size_t at, bytes;
    int number;
} tti_up_chunk;

void tti_two_tree_up_open(const tti_shape *shape, tti_builder *builder, int turn, tti_two_tree_up *up);

/* The rank at a place. */
int tti_two_tree_rank(const tti_two_tree_up *up, int place);
/* Combines what comes from below with the caller's own, in the order of places. Returns where that is: in
 * OUTPUT, if `output` says that the caller may use it and its own is not there, or in SCRATCH, or its own. */
tti_place tti_two_tree_take(const tti_two_tree_up *up, const tti_up_chunk *chunk, bool output);

#endif
