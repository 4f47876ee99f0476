/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of reduce-scatter and allgather in rounds (patterns/rounds.h), which several algorithms have:
 * sorted into the order of the rounds, what is sent and received at once is a row. */
#ifndef TTI_COMPOSE_BY_ROUNDS_H
#define TTI_COMPOSE_BY_ROUNDS_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/rounds.h"

/* The collectives that these phases are all of, in messages of so many bytes (`most`). */
void tti_by_rounds_allgather(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most);
void tti_by_rounds_reduce_scatter(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                                  size_t most);
void tti_by_rounds_allreduce(const tti_shape *shape, tti_builder *builder, tti_rounds_fn *pattern,
                             size_t most);

#endif
