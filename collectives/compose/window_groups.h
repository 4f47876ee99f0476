/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks of one node that are near each other, as those of one cache: what goes from group to group
 * goes once for each, by the rank that leads it. Blocks pass through WINDOWs as elsewhere (window_blocks.h).
 */
#ifndef TTI_COMPOSE_WINDOW_GROUPS_H
#define TTI_COMPOSE_WINDOW_GROUPS_H

#include "collectives/compose/window_blocks.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_blocks blocks;
    int leader;               /* of the caller's group; the root leads its own */
    tti_window_ranks near;    /* the caller's group */
    tti_window_ranks leaders; /* of all groups, in their order */
} tti_window_groups;

/* Of a shape that has groups, and data. False if memory is out, which the builder reports. */
bool tti_window_groups_open(tti_window_groups *g, const tti_shape *shape, tti_builder *builder, int regions);

static inline bool tti_window_groups_leads(const tti_window_groups *g)
{
    return g->shape->rank == g->leader;
}

/* Where block `k` is in the data. */
static inline tti_place tti_window_groups_of(const tti_window_groups *g, tti_place data, int k)
{
    return tti_place_plus(data, tti_blocks_at(&g->blocks, k));
}

/* Awaits that post of each of these ranks but the caller. */
void tti_window_groups_await(const tti_window_groups *g, tti_window_ranks ranks, int post);
/* Copies the caller's block into its WINDOW. */
static inline void tti_window_groups_show(const tti_window_groups *g, int k)
{
    tti_blocks_show(g->builder, &g->blocks, tti_shape_own(g->shape), k);
}
/* At a leader: combines the blocks of its group there, its own from its buffer. */
void tti_window_groups_combine(const tti_window_groups *g, int k);

#endif
