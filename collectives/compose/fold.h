/* SPDX-License-Identifier: BSD-3-Clause */
/* What passes between a rank that recursive multiplying has folded (patterns/multiply.h) and the one below
 * it, which does its part. */
#ifndef TTI_COMPOSE_FOLD_H
#define TTI_COMPOSE_FOLD_H

#include "collectives/contract/algorithm.h"

/* Tags: of contributions, and of results. Levels have those below. */
enum { TTI_TAG_FOLD = 1000, TTI_TAG_UNFOLD = 1001 };

/* A folded rank's whole part in an allreduce: gives its contribution to the rank below, gets the result. */
static inline void tti_fold_out(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    tti_build_send(builder, tti_shape_own(shape), bytes, shape->rank - 1, TTI_TAG_FOLD);
    tti_build_recv(builder, tti_place_at(TTI_OUTPUT, 0), bytes, shape->rank - 1, TTI_TAG_UNFOLD);
}

#endif
