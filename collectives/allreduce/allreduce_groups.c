/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks show their data to the leader of their group, leaders what these come to to each other; each group
 * takes the result from its leader. Three passages; of G groups (P/G + G)·nγ at a leader. For short data.
 *
 *   3 groups of 4     1,2,3 → 0   5,6,7 → 4   9,10,11 → 8
 *                     0, 4, 8 all with all
 *                     0 → 1,2,3   4 → 5,6,7   8 → 9,10,11 */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/window_groups.h"

/* A leader's posts of block k: its group is combined, and all groups are. */
static int combined(int k)
{
    return 2 * k + 1;
}
static int done(int k)
{
    return 2 * k + 2;
}

/* A block that goes in where another one was: who read that has posted since what is awaited here. */
static void lead(const tti_window_groups *g)
{
    for (int k = 0; k < g->blocks.count; k++) {
        const tti_place result = tti_place_at(TTI_WINDOW, tti_blocks_result_half(&g->blocks, k));
        const size_t bytes = tti_blocks_bytes(&g->blocks, k);
        tti_window_groups_await(g, g->near, k + 1);
        tti_window_groups_combine(g, k);
        tti_build_post(g->builder, TTI_ALL);
        tti_window_groups_await(g, g->leaders, combined(k));
        tti_window_combine(g->builder, g->shape->rank, g->leaders, tti_blocks_half(&g->blocks, k), result,
                           bytes);
        tti_build_post(g->builder, TTI_ALL);
        tti_build_copy(g->builder, result, tti_window_groups_of(g, tti_place_at(TTI_OUTPUT, 0), k), bytes);
    }
}

static void show(const tti_window_groups *g, int k)
{
    tti_window_groups_show(g, k);
    tti_build_post(g->builder, g->leader);
}

void tti_allreduce_window_groups(const tti_shape *shape, tti_builder *builder)
{
    tti_window_groups g;
    if (shape->size == 1 || shape->count == 0) {
        tti_allreduce_window(shape, builder);
        return;
    }
    if (!tti_window_groups_open(&g, shape, builder, 2 * TTI_WINDOW_HALVES)) return;
    if (tti_window_groups_leads(&g)) {
        lead(&g);
        return;
    }
    show(&g, 0);
    for (int k = 0; k < g.blocks.count; k++) {
        tti_build_await_post(builder, g.leader, done(k));
        tti_build_copy_from(builder, g.leader, tti_blocks_result_half(&g.blocks, k),
                            tti_window_groups_of(&g, tti_place_at(TTI_OUTPUT, 0), k),
                            tti_blocks_bytes(&g.blocks, k));
        if (k + 1 < g.blocks.count) show(&g, k + 1);
    }
}
