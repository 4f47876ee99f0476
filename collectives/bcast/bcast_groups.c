/* SPDX-License-Identifier: BSD-3-Clause */
/* The root shows its blocks to the leaders of the other groups, which show them to theirs, and to its own.
 * Two passages. For short data.
 *
 *   3 groups of 4, root 0     0 → 1,2,3,4,8     4 → 5,6,7   8 → 9,10,11 */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/window_groups.h"

/* The root's block, or what came of it, goes where nobody reads any more. */
static void show(const tti_window_groups *g, int k)
{
    if (k >= TTI_WINDOW_HALVES) tti_window_groups_await(g, g->near, k - TTI_WINDOW_HALVES + 1);
    tti_blocks_show(g->builder, &g->blocks, tti_place_at(TTI_OUTPUT, 0), k);
    tti_build_post(g->builder, TTI_ALL);
}

static void take(const tti_window_groups *g, int from, int k)
{
    tti_build_await_post(g->builder, from, k + 1);
    tti_build_copy_from(g->builder, from, tti_blocks_half(&g->blocks, k),
                        tti_window_groups_of(g, tti_place_at(TTI_OUTPUT, 0), k),
                        tti_blocks_bytes(&g->blocks, k));
}

void tti_bcast_window_groups(const tti_shape *shape, tti_builder *builder)
{
    tti_window_groups g;
    if (shape->size == 1 || shape->count == 0) return;
    if (!tti_window_groups_open(&g, shape, builder, TTI_WINDOW_HALVES)) return;
    const bool root = shape->rank == shape->root, leads = tti_window_groups_leads(&g);
    for (int k = 0; k < g.blocks.count; k++) {
        if (root && k >= TTI_WINDOW_HALVES) tti_window_groups_await(&g, g.leaders, k - TTI_WINDOW_HALVES + 1);
        if (!root) take(&g, leads ? shape->root : g.leader, k);
        if (leads)
            show(&g, k);
        else if (k + TTI_WINDOW_HALVES < g.blocks.count)
            tti_build_post(builder, g.leader);
    }
}
