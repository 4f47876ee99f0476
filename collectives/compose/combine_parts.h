/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_COMPOSE_COMBINE_PARTS_H
#define TTI_COMPOSE_COMBINE_PARTS_H

#include "collectives/schedule/builder.h"

/* parts[count-1] = parts[0] ∘ (parts[1] ∘ (… ∘ parts[count-1])). Where every member of a group combines the
 * same parts in this way, floating-point results are the same on all. */
static inline void tti_combine_parts(tti_builder *builder, const tti_place *parts, int count, size_t bytes)
{
    for (int i = count - 2; i >= 0; i--)
        tti_build_reduce(builder, parts[i], parts[count - 1], bytes);
}

#endif
