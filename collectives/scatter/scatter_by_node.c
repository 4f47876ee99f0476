/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends the leader of each node the blocks of all of it, over the network together, and the leaders
 * deal them out.
 *
 *   3 nodes of 2, root 0      0 → 2: 23,  0 → 4: 45      0 → 1,  2 → 3,  4 → 5
 *
 * N. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000. */
#include "collectives/compose/by_node_parts.h"
#include "collectives/compose/by_node_phases.h"
#include "collectives/scatter/scatter.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_by_node by;
    tti_by_node_parts parts;
    tti_place part; /* at a leader: its node's blocks */
} call;

/* The root's blocks, node by node. */
static tti_place sorted(const call *c)
{
    const tti_place all = tti_shape_own(c->shape);
    if (c->parts.in_order) return all;
    const tti_place table = tti_build_scratch(c->builder, tti_by_node_total(&c->parts));
    tti_by_node_sort(&c->parts, c->builder, all, table);
    return table;
}

/* From the root, which leads its node, whose blocks stay where they are, to the other leaders. */
static void exchange(call *c, tti_build_fn *between)
{
    const bool root = c->shape->rank == c->shape->root;
    const tti_extent here = tti_by_node_part(&c->parts, c->by.between.rank);
    const tti_place all = root                        ? sorted(c)
                          : tti_by_node_alone(&c->by) ? tti_place_at(TTI_OUTPUT, 0)
                                                      : tti_build_scratch(c->builder, here.bytes);
    tti_by_node_among_leaders(&c->by, &c->parts, c->builder, all, all, root, between);
    c->part = tti_place_plus(all, root ? here.at : 0);
}

static void keep_own(const call *c)
{
    const tti_extent own = tti_by_node_local(&c->parts, c->by.inside.rank);
    if (!c->shape->in_place)
        tti_build_copy(c->builder, tti_place_plus(c->part, own.at), tti_place_at(TTI_OUTPUT, 0), own.bytes);
}

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    call c = {.shape = shape, .builder = builder};
    if (!tti_by_node_parts_open(shape, &shape->send, builder, &c.by, &c.parts)) return;
    if (c.by.leads) exchange(&c, between);
    tti_by_node_deal(&c.by, builder, &c.parts.local, c.part, tti_place_at(TTI_OUTPUT, 0));
    tti_build_whole(builder);
    if (c.by.leads) keep_own(&c);
}

void tti_scatter_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_scatter_knomial);
}

void tti_scatter_by_node_linear(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_scatter_linear);
}
