/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a tree inside each node, then up one of the nodes' leaders (the root leads its node): one contribution a
 * node on the network.
 *
 *   3 nodes of 2, root 3        0 ← 1,  3 ← 2,  4 ← 5        3 ← 0, 3 ← 4
 *
 * N. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000. */
#include "collectives/compose/by_node_phases.h"
#include "collectives/reduce/reduce.h"

/* Where a leader keeps the sum of its node: only the root has an OUTPUT. */
static tti_place sum_place(const tti_shape *shape, tti_builder *builder)
{
    if (shape->rank == shape->root) return tti_place_at(TTI_OUTPUT, 0);
    return tti_build_scratch(builder, tti_shape_bytes(shape));
}

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    tti_by_node by;
    if (!tti_by_node_open(shape, builder, &by)) return;
    const tti_place input = tti_place_at(TTI_INPUT, 0);
    const bool alone = tti_by_node_alone(&by);
    const tti_place sum = by.leads && !alone ? sum_place(shape, builder) : tti_place_at(TTI_OUTPUT, 0);
    tti_build_place(builder, input, sum, 0, TTI_BUILD_TAGS);
    tti_by_node_up(&by, builder);
    if (by.leads) {
        by.between.in_place = shape->in_place || !alone;
        tti_build_part(builder, by.leaders);
        between(&by.between, builder);
    }
    tti_build_whole(builder);
}

void tti_reduce_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_reduce_knomial);
}

void tti_reduce_by_node_chain(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_reduce_chain);
}
