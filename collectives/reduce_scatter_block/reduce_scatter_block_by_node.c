/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a node combine what they have at its leader, leaders exchange the sums of whole nodes' blocks,
 * and deal out what they get: one contribution a node goes over the network. Parts may differ in size, as
 * long as all ranks know them all.
 *
 *   2 nodes of 2, blocks abcd      0: abcd of 0,1      0 → 2: cd of 0,1      0: ab of all      1 ← 0: b
 *                                  2: abcd of 2,3      2 → 0: ab of 2,3      2: cd of all      3 ← 2: d
 *
 * N. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize collective operation
 * performance", 2000. */
#include "collectives/compose/by_node_parts.h"
#include "collectives/compose/by_node_phases.h"
#include "collectives/reduce_scatter_block/reduce_scatter_block.h"

typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    tti_by_node by;
    tti_by_node_parts parts;
} call;

/* The sum of what the ranks of a node have for all; of a rank alone its own. */
static tti_place sum_up(call *c)
{
    const tti_place own = tti_shape_own(c->shape);
    if (tti_by_node_alone(&c->by)) return own;
    const size_t bytes = tti_by_node_total(&c->parts);
    const tti_place sum = c->by.leads ? tti_build_scratch(c->builder, bytes) : tti_place_at(TTI_OUTPUT, 0);
    c->by.inside.count = bytes / c->shape->element;
    c->by.inside.parted = c->by.inside.in_place = false;
    tti_build_place(c->builder, own, sum, 0, TTI_BUILD_TAGS);
    tti_by_node_up(&c->by, c->builder);
    tti_build_whole(c->builder);
    return sum;
}

/* Among the leaders, of whom each gets the blocks of its node. Returns where they are. */
static tti_place exchange(const call *c, tti_place sum, tti_build_fn *between)
{
    tti_place sorted = sum;
    if (!c->parts.in_order) {
        sorted = tti_build_scratch(c->builder, tti_by_node_total(&c->parts));
        tti_by_node_sort(&c->parts, c->builder, sum, sorted);
    }
    const tti_extent here = tti_by_node_part(&c->parts, c->by.between.rank);
    const tti_place result = tti_build_scratch(c->builder, here.bytes);
    tti_by_node_among_leaders(&c->by, &c->parts, c->builder, sorted, result, false, between);
    return result;
}

static void by_node(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    call c = {.shape = shape, .builder = builder};
    if (!tti_by_node_parts_open(shape, &shape->send, builder, &c.by, &c.parts)) return;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0), sum = sum_up(&c);
    const tti_place part = c.by.leads ? exchange(&c, sum, between) : output;
    tti_by_node_deal(&c.by, builder, &c.parts.local, part, output);
    tti_build_whole(builder);
    const tti_extent own = tti_by_node_local(&c.parts, c.by.inside.rank);
    if (c.by.leads) tti_build_copy(builder, tti_place_plus(part, own.at), output, own.bytes);
}

void tti_reduce_scatter_block_by_node(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_reduce_scatter_block_circulant);
}

void tti_reduce_scatter_block_by_node_pairwise(const tti_shape *shape, tti_builder *builder)
{
    by_node(shape, builder, tti_reduce_scatter_block_pairwise);
}
