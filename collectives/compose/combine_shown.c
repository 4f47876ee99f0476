/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/combine_shown.h"

#define PIECE ((size_t)128 << 10)

/* From the highest rank down, as what comes from lower ranks stands on the left. */
static void combine(const tti_shape *shape, tti_builder *builder, int last, size_t at, tti_place to,
                    size_t bytes)
{
    const tti_place own = tti_place_plus(tti_shape_own(shape), at), shown = tti_place_at(TTI_INPUT, at);
    for (int rank = last; rank >= 0; rank--) {
        const bool first = rank == last;
        if (rank == shape->rank && first)
            tti_build_copy(builder, own, to, bytes);
        else if (rank == shape->rank)
            tti_build_reduce(builder, own, to, bytes);
        else if (first)
            tti_build_copy_shown(builder, rank, shown, to, bytes);
        else
            tti_build_reduce_shown(builder, rank, shown, to, bytes);
    }
}

void tti_combine_shown(const tti_shape *shape, tti_builder *builder, int last, tti_extent part, tti_place to)
{
    const size_t most = tti_build_whole_elements(builder, PIECE);
    const bool onto_own = shape->in_place && to.space == TTI_OUTPUT;
    const bool aside = onto_own && shape->rank != last;
    const tti_place sum = tti_build_scratch(builder, !aside ? 0 : part.bytes < most ? part.bytes : most);
    for (size_t done = 0; done < part.bytes; done += most) {
        const size_t bytes = part.bytes - done < most ? part.bytes - done : most;
        const tti_place piece = tti_place_plus(to, done);
        combine(shape, builder, last, part.at + done, aside ? sum : piece, bytes);
        if (aside) tti_build_copy(builder, sum, piece, bytes);
    }
}
