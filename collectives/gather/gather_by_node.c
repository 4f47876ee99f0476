/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks go to the leader of each node, and from the leaders to the root, which leads its own: a node's
 * blocks go over the network together.
 *
 *   3 nodes of 2, root 0      0 ← 1,  2 ← 3,  4 ← 5      0 ← 2: 23,  0 ← 4: 45
 *
 * N. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000. */
#include "collectives/compose/by_node_parts.h"
#include "collectives/gather/gather.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_by_node by;
    tti_by_node_parts parts;
    tti_place table; /* at the root: of all blocks, node by node: OUTPUT where that is the order of ranks */
    tti_place part;  /* at a leader: its node's blocks */
} call;

static void open_tables(call *c)
{
    const tti_extent here = tti_by_node_part(&c->parts, c->by.between.rank);
    if (c->shape->rank == c->shape->root) {
        c->table = c->parts.in_order ? tti_place_at(TTI_OUTPUT, 0)
                                     : tti_build_scratch(c->builder, tti_by_node_total(&c->parts));
        c->part = tti_place_plus(c->table, here.at);
    } else if (c->by.leads) {
        c->part = tti_by_node_alone(&c->by) ? tti_shape_own_part(c->shape)
                                            : tti_build_scratch(c->builder, here.bytes);
    }
}

/* What the ranks of a node have, to its leader. */
static void collect(const call *c)
{
    tti_shape inside = c->by.inside;
    if (tti_by_node_alone(&c->by) && c->shape->rank != c->shape->root) return;
    inside.in_place = c->shape->in_place && c->parts.in_order;
    tti_build_part(c->builder, c->by.local);
    tti_build_place(c->builder, tti_shape_own_part(c->shape), c->part, 0, TTI_BUILD_TAGS);
    if (inside.window > 0)
        tti_gather_window(&inside, c->builder);
    else
        tti_gather_linear(&inside, c->builder);
    tti_build_whole(c->builder);
}

/* To the leader of the root's node, whose own is there already. */
static void exchange(const call *c, tti_build_fn *between)
{
    const bool root = c->shape->rank == c->shape->root;
    tti_by_node_among_leaders(&c->by, &c->parts, c->builder, c->part, c->table, root, between);
    if (root && !c->parts.in_order)
        tti_by_node_unsort(&c->parts, c->builder, c->table, tti_place_at(TTI_OUTPUT, 0));
}

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    call c = {.shape = shape, .builder = builder};
    if (!tti_by_node_parts_open(shape, &shape->recv, builder, &c.by, &c.parts)) return;
    open_tables(&c);
    collect(&c);
    if (c.by.leads) exchange(&c, between);
}

void tti_gather_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_gather_knomial);
}

void tti_gather_by_node_linear(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_gather_linear);
}
