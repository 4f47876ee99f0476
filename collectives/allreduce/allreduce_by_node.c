/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce to each node's leader, allreduce among the leaders, broadcast inside each node: what goes over the
 * network is one contribution a node, and one result back.
 *
 *   3 nodes of 2       0 ← 1        0 ⇄ 2 ⇄ 4        0 → 1
 *                      2 ← 3       (allreduce)       2 → 3
 *                      4 ← 5                         4 → 5
 *
 * N. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/by_node_phases.h"

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    tti_by_node by;
    if (!tti_by_node_open(shape, builder, &by)) return;
    tti_by_node_up(&by, builder);
    /* The node's sum is in OUTPUT; a rank that is alone on its node still has its own where it was. */
    by.between.in_place = shape->in_place || !tti_by_node_alone(&by);
    tti_by_node_spread(&by, builder, between);
}

void tti_allreduce_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_allreduce_recmul);
}

void tti_allreduce_by_node_split(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_allreduce_rabenseifner);
}
