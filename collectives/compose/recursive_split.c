/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/recursive_split.h"

#include "collectives/compose/combine_parts.h"

tti_place tti_split_level(tti_builder *builder, const tti_split *split, tti_place sum, tti_place aside)
{
    const tti_multiply_group *group = &split->group;
    const size_t bytes = split->piece[group->mine].bytes;
    const int last = group->factor - 1;
    tti_place parts[TTI_RADIX_MAX];
    for (int i = 0; i <= last; i++) {
        const int peer = tti_multiply_member(split->plan, group, i);
        parts[i] = tti_place_plus(sum, split->piece[i].at);
        if (i == group->mine) continue;
        tti_build_send(builder, parts[i], split->piece[i].bytes, peer, split->tag);
        parts[i] = tti_build_scratch(builder, bytes);
        tti_build_recv(builder, parts[i], bytes, peer, split->tag);
    }
    if (parts[last].space == TTI_INPUT) {
        tti_build_copy(builder, parts[last], aside, bytes);
        parts[last] = aside;
    }
    tti_combine_parts(builder, parts, group->factor, bytes);
    return parts[last];
}
