/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefix sums: at each rank those of the ranks below it combined, with the caller's own among them, as in a
 * scan (`inclusive`), or without it, as in an exscan, where rank 0 gets nothing. A file each. */
#ifndef TTI_COMPOSE_PREFIX_H
#define TTI_COMPOSE_PREFIX_H

#include "collectives/compose/alone.h"

void tti_prefix_doubling(const tti_shape *shape, tti_builder *builder, bool inclusive);
void tti_prefix_chain(const tti_shape *shape, tti_builder *builder, bool inclusive);
void tti_prefix_by_node(const tti_shape *shape, tti_builder *builder, bool inclusive);
void tti_prefix_window(const tti_shape *shape, tti_builder *builder, bool inclusive);
void tti_prefix_passed(const tti_shape *shape, tti_builder *builder, bool inclusive);
void tti_prefix_shown(const tti_shape *shape, tti_builder *builder, bool inclusive);

/* The last rank of which the caller's result has the contribution; -1: it has no result. */
static inline int tti_prefix_last(const tti_shape *shape, bool inclusive)
{
    return inclusive ? shape->rank : shape->rank - 1;
}
/* Whether the caller needs no others: there is nothing to combine, or one rank alone, of which this copies
 * the result, if it has one, into its place. */
static inline bool tti_prefix_alone(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    if (inclusive) return tti_combines_alone(shape, builder, tti_shape_bytes(shape));
    return shape->size == 1 || shape->count == 0;
}

#endif
