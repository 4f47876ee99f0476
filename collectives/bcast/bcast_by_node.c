/* SPDX-License-Identifier: BSD-3-Clause */
/* Among the leaders first (the root leads its node), then inside each node: the message goes over the network
 * once to each node.
 *
 *   3 nodes of 2, root 3        3 → 0, 3 → 4        0 → 1,  3 → 2,  4 → 5      */
#include "collectives/bcast/bcast.h"
#include "collectives/compose/by_node_phases.h"

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    tti_by_node by;
    if (!tti_by_node_open(shape, builder, &by)) return;
    tti_by_node_spread(&by, builder, between);
}

void tti_bcast_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_bcast_knomial);
}

void tti_bcast_by_node_ring(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_bcast_scatter_ring);
}

void tti_bcast_by_node_chain(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_bcast_chain);
}

void tti_bcast_by_node_circulant(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_bcast_circulant);
}
