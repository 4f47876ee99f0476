/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in the buffers of exchanges between neighbours: a part for each of the caller's sources and
 * targets, in the order of its lists. The part of a neighbour that is nobody is in its place, and empty. */
#ifndef TTI_CONTRACT_CONTENTS_NEIGHBOURS_H
#define TTI_CONTRACT_CONTENTS_NEIGHBOURS_H

#include "collectives/contract/contents.h"

/* Where the part that goes along an edge begins in a contribution. Who gets it does not know the place, so it
 * is told by the target and the number of the edge; beyond so many bits edges are no longer told apart, which
 * matters to proofs alone. */
#define TTI_EDGE_BITS 8
TTI_CONTENTS size_t tti_contents_edge(const tti_shape *shape, int target, int number)
{
    return ((size_t)target << TTI_EDGE_BITS | (size_t)number) * (shape->element << TTI_PART_BITS);
}

TTI_CONTENTS bool tti_contents_is_there(const tti_neighbour_list *list, int index)
{
    return index < list->count && list->ranks[index] >= 0;
}

/* The caller's part for each target. */
TTI_CONTENTS int tti_contents_for_targets(const tti_shape *shape, int index, tti_content *content)
{
    const tti_neighbour_list *to = &shape->neighbours->targets;
    *content = (tti_content){.bytes = 0};
    if (!tti_contents_is_there(to, index)) return to->count;
    const tti_extent part = tti_shape_sent(shape, index);
    *content = (tti_content){.place = tti_place_at(TTI_INPUT, part.at),
                             .bytes = part.bytes,
                             .from = tti_contents_edge(shape, to->ranks[index], to->numbers[index]),
                             .first = shape->rank,
                             .last = shape->rank};
    return to->count;
}

/* Of each source all that it contributes. */
TTI_CONTENTS int tti_contents_of_sources(const tti_shape *shape, int index, tti_content *content)
{
    const tti_neighbour_list *from = &shape->neighbours->sources;
    *content = (tti_content){.bytes = 0};
    if (!tti_contents_is_there(from, index)) return from->count;
    const tti_extent part = tti_shape_received(shape, index);
    *content = (tti_content){.place = tti_place_at(TTI_OUTPUT, part.at),
                             .bytes = part.bytes,
                             .first = from->ranks[index],
                             .last = from->ranks[index]};
    return from->count;
}

/* Of each source its part for the caller. */
TTI_CONTENTS int tti_contents_for_me(const tti_shape *shape, int index, tti_content *content)
{
    const tti_neighbour_list *from = &shape->neighbours->sources;
    const int count = tti_contents_of_sources(shape, index, content);
    if (tti_contents_is_there(from, index))
        content->from = tti_contents_edge(shape, shape->rank, from->numbers[index]);
    return count;
}

#endif
