/* SPDX-License-Identifier: BSD-3-Clause */
/* What recursive multiplying and Rabenseifner's algorithm share. */
#ifndef TTI_ALLREDUCE_FOLD_H
#define TTI_ALLREDUCE_FOLD_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/multiply.h"

/* Tags of the messages between a folded rank and the one below it; levels have tags below these. */
enum { TTI_TAG_FOLD = 1000, TTI_TAG_UNFOLD = 1001 };

/* parts[count-1] = parts[0] ∘ (parts[1] ∘ (… ∘ parts[count-1])). Every member of a group combines the same
 * parts in the same way, which makes floating-point results the same on all. */
static inline void tti_fold_parts(tti_builder *builder, const tti_place *parts, int count, size_t bytes)
{
    for (int i = count - 2; i >= 0; i--)
        tti_build_reduce(builder, parts[i], parts[count - 1], bytes);
}

/* A folded rank's whole part in an allreduce: gives its contribution to the rank below, gets the result. */
static inline void tti_fold_out(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    tti_build_send(builder, tti_shape_own(shape), bytes, shape->rank - 1, TTI_TAG_FOLD);
    tti_build_recv(builder, tti_place_at(TTI_OUTPUT, 0), bytes, shape->rank - 1, TTI_TAG_UNFOLD);
}

#endif
