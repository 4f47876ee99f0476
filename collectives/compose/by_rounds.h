/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of reduce-scatter and allgather in rounds (patterns/rounds.h), which several algorithms have:
 * sorted into the order of the rounds, what is sent and received at once is a row. */
#ifndef TTI_COLLECTIVES_BY_ROUNDS_H
#define TTI_COLLECTIVES_BY_ROUNDS_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/rounds.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_rounds rounds;
    tti_extent (*block)(const tti_shape *shape, int block); /* where it is in a buffer of all blocks */
    size_t most;         /* bytes of a message, but at least a block goes; 0: all of a round at once */
    const size_t *start; /* [size + 1] where each position's block begins in: */
    tti_place sorted;    /* all blocks in the order of the rounds: SCRATCH */
} tti_by_rounds;

/* False if memory is out (the builder remembers). */
bool tti_by_rounds_open(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                        tti_extent (*block)(const tti_shape *shape, int block), tti_by_rounds *by);
/* Where the data, shape->count elements, are cut into a part for each rank. */
tti_extent tti_by_rounds_part(const tti_shape *shape, int part);

/* Copies all blocks of the buffer at `from` to where they are sorted; and from there those from position
 * `first` on to the buffer at `to`. */
void tti_by_rounds_sort(const tti_by_rounds *by, tti_place from);
void tti_by_rounds_unsort(const tti_by_rounds *by, tti_place to, int first);

/* The rounds backwards: of contributions to all blocks to the sum of the caller's own, the first. */
void tti_by_rounds_reduce(const tti_by_rounds *by);
/* The rounds: from the caller's own, the first, to all. */
void tti_by_rounds_gather(const tti_by_rounds *by);

/* The collectives that these phases are all of, in messages of so many bytes (`most`). */
void tti_by_rounds_allgather(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most);
void tti_by_rounds_reduce_scatter(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                                  size_t most);
void tti_by_rounds_allreduce(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most);

#endif
