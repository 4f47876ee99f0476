/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks of each node are in a row: inside a node each combines what it needs, the last one the sum
 * of all; these combine what is below each node; and that goes down to the others of it. One contribution a
 * node goes over the network, and ranks stay in order, so the operation need not commute.
 *
 *   3 nodes of 2      inside 0 01   2 23   4 45      1 → 3: 01, 3 → 5: 0123      2 ← 3: 01, 4 ← 5: 0123
 *
 * P. Sanders, J. Träff, "Parallel prefix (scan) algorithms for MPI", 2006 (for clusters of nodes). */
#include "collectives/compose/by_node_phases.h"
#include "collectives/compose/by_node_window.h"
#include "collectives/compose/prefix.h"
#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/tree.h"

/* Of messages inside a node, before those of tti_by_node_send_down(). */
#define TAG_INSIDE (TTI_BUILD_TAGS / 2)
typedef struct {
    const tti_shape *shape;
    tti_builder *builder;
    bool inclusive;
    tti_by_node by;
    size_t bytes;
    tti_place total; /* at a leader: the sum of its node */
    tti_place below; /* at a leader: the sum of all nodes below its own */
} call;

static bool nodes_are_rows(const tti_shape *shape)
{
    for (int i = 0; i < shape->size; i++)
        if (shape->nodes->members[i] != i) return false;
    return true;
}

/* A leader whose result is without its own keeps that for the sum of its node. */
static void open_sums(call *c)
{
    const bool first = c->by.between.rank == 0, last = c->by.between.rank == c->by.between.size - 1;
    const tti_place own = tti_shape_own(c->shape);
    c->total = c->inclusive ? tti_place_at(TTI_OUTPUT, 0) : own;
    if (!c->inclusive && !last && (c->shape->in_place || !tti_by_node_alone(&c->by))) {
        c->total = tti_build_scratch(c->builder, c->bytes);
        tti_build_copy(c->builder, own, c->total, c->bytes);
    }
    if (!first) c->below = tti_build_scratch(c->builder, c->bytes);
}

/* The ranks of a node by themselves. */
static void sum_inside(call *c)
{
    tti_shape inside = c->by.inside;
    tti_build_part(c->builder, c->by.local);
    tti_build_place(c->builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, 0), TAG_INSIDE,
                    TTI_BUILD_TAGS - TAG_INSIDE);
    if (inside.window > 0 && inside.size > 1) {
        inside.window = tti_by_node_upper(&c->by);
        const int posts = tti_blocks_open(&inside, c->bytes, TTI_WINDOW_HALVES).count;
        tti_prefix_window(&inside, c->builder, c->inclusive);
        c->by.lead_posts += posts;
        c->by.other_posts += posts;
    } else {
        inside.radix = 2;
        tti_prefix_doubling(&inside, c->builder, c->inclusive);
    }
    tti_build_whole(c->builder);
}

/* Among the leaders: each gets the sum of the nodes below its own. */
static void exchange(const call *c)
{
    tti_shape shape = c->by.between;
    shape.in_place = false;
    if (!c->inclusive && !tti_by_node_alone(&c->by) && shape.rank < shape.size - 1)
        tti_build_reduce(c->builder, tti_place_at(TTI_OUTPUT, 0), c->total, c->bytes);
    tti_build_part(c->builder, c->by.leaders);
    tti_build_place(c->builder, c->total, c->below, 0, TTI_BUILD_TAGS);
    tti_prefix_doubling(&shape, c->builder, false);
    tti_build_whole(c->builder);
}

/* Whether the sum of the nodes below is all that a rank gets. */
static bool gets_all_from_below(const call *c)
{
    return !c->inclusive && c->by.inside.rank == 0;
}

/* Puts what is below before what the caller has. */
static void add(const call *c, tti_place below)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    if (gets_all_from_below(c))
        tti_build_copy(c->builder, below, output, c->bytes);
    else
        tti_build_reduce(c->builder, below, output, c->bytes);
}

/* The leader's `below` to the others of its node. */
static void spread(call *c)
{
    if (c->by.inside.window > 0) {
        tti_by_node_blocks blocks = tti_by_node_blocks_of(&c->by, tti_by_node_upper(&c->by));
        if (!gets_all_from_below(c)) blocks.take = tti_build_reduce_from;
        tti_by_node_count(&blocks, c->bytes);
        tti_by_node_pass(&c->by, c->builder, &blocks, c->by.leads ? c->below : tti_place_at(TTI_OUTPUT, 0),
                         c->bytes);
        tti_build_whole(c->builder);
    } else {
        const tti_place below = c->by.leads ? c->below : tti_build_scratch(c->builder, c->bytes);
        tti_by_node_send_down(&c->by, c->builder, below, c->bytes);
        if (!c->by.leads) add(c, below);
    }
    if (c->by.leads) add(c, c->below);
}

/* Where the ranks of a node are not in a row, nearly every message goes over the network: of a chunk or more
 * a chain sends the fewest bytes. */
static void among_all(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    if (tti_shape_bytes(shape) < shape->chunk)
        tti_prefix_doubling(shape, builder, inclusive);
    else
        tti_prefix_chain(shape, builder, inclusive);
}

void tti_prefix_by_node(const tti_shape *shape, tti_builder *builder, bool inclusive)
{
    call c = {.shape = shape, .builder = builder, .inclusive = inclusive, .bytes = tti_shape_bytes(shape)};
    if (!nodes_are_rows(shape)) {
        among_all(shape, builder, inclusive);
        return;
    }
    if (!tti_by_node_open_last(shape, builder, &c.by)) return;
    if (c.by.leads) open_sums(&c);
    sum_inside(&c);
    if (c.by.leads) exchange(&c);
    if (c.by.between.rank > 0) spread(&c);
}
