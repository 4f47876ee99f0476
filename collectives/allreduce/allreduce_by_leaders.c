/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduce-scatter inside each node, allreduce of each part among its leaders, allgather inside each node:
 * every rank combines its share, and what goes over the network is one contribution a node, in parts.
 *
 *   2 nodes of 2, data ab       inside                   between        inside
 *   rank 0                      a of 0,1   ·             a of all       ab
 *   rank 1                      ·          b of 0,1      b of all       ab
 *   rank 2                      a of 2,3   ·             a of all       ab
 *   rank 3                      ·          b of 2,3      b of all       ab
 *
 * M. Bayatpour et al., "Scalable reduction collectives with data partitioning-based multi-leader design",
 * 2017. */
#include "collectives/allreduce/allreduce.h"
#include "collectives/compose/buffers.h"
#include "collectives/compose/by_leaders_window.h"
#include "collectives/patterns/parts.h"

/* The sum is in OUTPUT. */
#define BUFFERS_LEAST 2

/* The leader's half: combines what all ranks of its node have of the part in its OUTPUT. */
static void take_part(const tti_by_leaders *by, int part)
{
    const tti_extent cut = tti_by_leaders_part(by, part);
    const tti_place sum = tti_place_at(TTI_OUTPUT, cut.at);
    const tti_place own = tti_place_plus(tti_shape_own(by->shape), cut.at);
    const int count = by->size > 1 ? tti_buffers_count(cut.bytes, BUFFERS_LEAST, by->size) : 0;
    const tti_buffers buffers = tti_buffers_open(by->builder, cut.bytes, count);
    for (int i = 1; i < by->size; i++) {
        const bool first = i == 1 && !by->shape->in_place;
        const tti_place to = first ? sum : tti_buffers_at(&buffers, i);
        const int from = tti_ring(by->place, -i, by->size);
        tti_build_recv(by->builder, to, cut.bytes, by->local[from], part);
        tti_build_reduce(by->builder, first ? own : to, sum, cut.bytes);
    }
}

static void reduce_scatter(const tti_by_leaders *by)
{
    for (int turn = 0; turn < by->parts; turn++) {
        const int part = tti_by_leaders_turn(by, turn), leader = tti_by_leaders_here(by, part);
        const tti_extent cut = tti_by_leaders_part(by, part);
        if (leader == by->place)
            take_part(by, part);
        else
            tti_build_send(by->builder, tti_place_plus(tti_shape_own(by->shape), cut.at), cut.bytes,
                           by->local[leader], part);
    }
}

static void by_leaders(const tti_shape *shape, tti_builder *builder, tti_build_fn *between)
{
    tti_by_leaders by;
    if (!tti_by_leaders_open(shape, builder, &by)) return;
    if (by.shares)
        tti_by_leaders_combine_shared(&by);
    else
        reduce_scatter(&by);
    /* A rank that is alone on its node still has its own where it was. */
    tti_by_leaders_between(&by, shape->in_place || by.size > 1, between);
    if (by.shares)
        tti_by_leaders_spread_shared(&by, -1);
    else
        tti_by_leaders_spread(&by, -1);
}

void tti_allreduce_by_leaders(const tti_shape *shape, tti_builder *builder)
{
    by_leaders(shape, builder, tti_allreduce_recmul);
}

void tti_allreduce_by_leaders_split(const tti_shape *shape, tti_builder *builder)
{
    by_leaders(shape, builder, tti_allreduce_rabenseifner);
}
