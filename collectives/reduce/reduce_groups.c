/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks show their data to the leader of their group, leaders what these come to to the root, which leads its
 * own. Two passages; of G groups (P/G + G)·nγ at the root. For short data. */
#include "collectives/compose/window_groups.h"
#include "collectives/reduce/reduce.h"

/* The root's posts say that a block of all groups has been read, where somebody waits to fill its place. */
static void combine_all(const tti_window_groups *g)
{
    for (int k = 0; k < g->blocks.count; k++) {
        tti_window_groups_await(g, g->near, k + 1);
        tti_window_groups_combine(g, k);
        tti_window_groups_await(g, g->leaders, k + 1);
        tti_window_combine(g->builder, g->shape->rank, g->leaders, tti_blocks_half(&g->blocks, k),
                           tti_window_groups_of(g, tti_place_at(TTI_OUTPUT, 0), k),
                           tti_blocks_bytes(&g->blocks, k));
        if (k + TTI_WINDOW_HALVES < g->blocks.count) tti_build_post(g->builder, TTI_ALL);
    }
}

/* A leader's post tells the root that the group's block is there, and the group that its blocks were read. */
static void combine_group(const tti_window_groups *g)
{
    for (int k = 0; k < g->blocks.count; k++) {
        tti_window_groups_await(g, g->near, k + 1);
        if (k >= TTI_WINDOW_HALVES)
            tti_build_await_post(g->builder, g->shape->root, k - TTI_WINDOW_HALVES + 1);
        tti_window_groups_combine(g, k);
        tti_build_post(g->builder, TTI_ALL);
    }
}

void tti_reduce_window_groups(const tti_shape *shape, tti_builder *builder)
{
    tti_window_groups g;
    if (shape->size == 1 || shape->count == 0) {
        tti_reduce_window(shape, builder);
        return;
    }
    if (!tti_window_groups_open(&g, shape, builder, TTI_WINDOW_HALVES)) return;
    if (tti_window_groups_leads(&g)) {
        if (shape->rank == shape->root)
            combine_all(&g);
        else
            combine_group(&g);
        return;
    }
    for (int k = 0; k < g.blocks.count; k++) {
        if (k >= TTI_WINDOW_HALVES) tti_build_await_post(builder, g.leader, k - TTI_WINDOW_HALVES + 1);
        tti_window_groups_show(&g, k);
        tti_build_post(builder, g.leader);
    }
}
