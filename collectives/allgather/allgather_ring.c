/* SPDX-License-Identifier: BSD-3-Clause */
/* Each block, or part, goes once around the ring, straight into its place.
 *
 *   4 ranks        start   step 1   step 2   step 3
 *   rank 0         0···    0··3     0·23     0123
 *   rank 1         ·1··    01··     01·3     0123
 *
 * A rank's own block is copied while the first one is under way.
 *
 * E. Chan et al., "Collective communication: theory, practice, and experience", 2007 (bucket algorithm). */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"

void tti_allgather_ring(const tti_shape *shape, tti_builder *builder)
{
    const int rank = shape->rank, size = shape->size;
    const tti_extent own = tti_shape_received(shape, rank);
    tti_extent part = own;
    tti_place out = shape->in_place ? tti_place_at(TTI_OUTPUT, own.at) : tti_place_at(TTI_INPUT, 0);
    for (int t = 0; t < size - 1; t++) {
        const tti_extent next = tti_shape_received(shape, tti_ring(rank, -t - 1, size));
        const tti_place in = tti_place_at(TTI_OUTPUT, next.at);
        tti_build_send(builder, out, part.bytes, tti_ring(rank, 1, size), t);
        tti_build_recv(builder, in, next.bytes, tti_ring(rank, -1, size), t);
        out = in;
        part = next;
    }
    if (!shape->in_place)
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, own.at), own.bytes);
}
