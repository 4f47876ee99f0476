/* SPDX-License-Identifier: BSD-3-Clause */
/* Rabenseifner's first phase, a reduce-scatter of the data by recursive splitting, and what of each level the
 * phase after it needs, which goes through the levels backwards: of allreduce and of reduce. */
#ifndef TTI_COMPOSE_RABENSEIFNER_SCATTER_H
#define TTI_COMPOSE_RABENSEIFNER_SCATTER_H

#include "collectives/contract/algorithm.h"
#include "collectives/patterns/multiply.h"

/* Tags of the second phase, and a level, follow those of the first. */
enum { TTI_TAG_GATHER = TTI_MULTIPLY_LEVELS };

typedef struct {
    size_t first, count; /* elements */
} tti_segment;

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_multiply plan;
    tti_multiply_group group[TTI_MULTIPLY_LEVELS];
    tti_segment before[TTI_MULTIPLY_LEVELS + 1]; /* what a rank is responsible for before each level */
} tti_rabenseifner;

/* False at a folded rank, which has no part in it. */
bool tti_rabenseifner_open(const tti_shape *shape, tti_builder *builder, tti_rabenseifner *call);
/* All levels: the sum of what the caller is responsible for after them is then in its place of OUTPUT. */
void tti_rabenseifner_scatter(const tti_rabenseifner *call);

/* What member `index` of a level's group is responsible for after it. */
tti_segment tti_rabenseifner_part(const tti_rabenseifner *call, int level, int index);
static inline size_t tti_segment_bytes(const tti_rabenseifner *call, tti_segment s)
{
    return s.count * call->shape->element;
}
static inline tti_place tti_segment_place(const tti_rabenseifner *call, tti_segment s)
{
    return tti_place_at(TTI_OUTPUT, s.first * call->shape->element);
}

#endif
