/* SPDX-License-Identifier: BSD-3-Clause */
/* All receives are there before the first message leaves: a neighbour that is as far finds its own waiting.
 * The number of the edge is the tag. Edges of a rank to itself are copies.
 *
 *   rank 0 ──0→ rank 1      targets of 0: 1, 1, 2        sources of 1: 0, 2, 0
 *          ──1→ rank 1      tags          0, 1, 0        tags          0, 0, 1
 *          ──0→ rank 2 ──0→ rank 1
 */
#include "collectives/neighbor_alltoall/neighbor_alltoall.h"

tti_extent tti_neighbor_given(const tti_shape *shape, int target, bool whole)
{
    return whole ? (tti_extent){0, tti_shape_own_bytes(shape)} : tti_shape_sent(shape, target);
}

void tti_neighbor_keep_own(const tti_shape *shape, tti_builder *builder, bool whole)
{
    const tti_neighbour_list *from = &shape->neighbours->sources, *to = &shape->neighbours->targets;
    for (int i = 0; i < to->count; i++) {
        if (to->ranks[i] != shape->rank) continue;
        const int source = tti_neighbours_find(from, shape->rank, to->numbers[i]);
        const tti_extent part = tti_neighbor_given(shape, i, whole);
        tti_build_copy(builder, tti_place_at(TTI_INPUT, part.at),
                       tti_place_at(TTI_OUTPUT, tti_shape_received(shape, source).at), part.bytes);
    }
}

void tti_neighbor_direct(const tti_shape *shape, tti_builder *builder, bool whole)
{
    const tti_neighbour_list *from = &shape->neighbours->sources, *to = &shape->neighbours->targets;
    for (int i = 0; i < from->count; i++) {
        const tti_extent part = tti_shape_received(shape, i);
        if (tti_neighbor_is_other(shape, from->ranks[i]))
            tti_build_recv(builder, tti_place_at(TTI_OUTPUT, part.at), part.bytes, from->ranks[i],
                           from->numbers[i]);
    }
    for (int i = 0; i < to->count; i++) {
        const tti_extent part = tti_neighbor_given(shape, i, whole);
        if (tti_neighbor_is_other(shape, to->ranks[i]))
            tti_build_send(builder, tti_place_at(TTI_INPUT, part.at), part.bytes, to->ranks[i],
                           to->numbers[i]);
    }
    tti_neighbor_keep_own(shape, builder, whole);
}
