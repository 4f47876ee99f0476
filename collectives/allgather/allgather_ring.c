/* SPDX-License-Identifier: BSD-3-Clause */
/* Each block, or part, goes once around the ring, straight into its place.
 *
 *   4 ranks        start   step 1   step 2   step 3
 *   rank 0         0···    0··3     0·23     0123
 *   rank 1         ·1··    01··     01·3     0123
 *
 * E. Chan et al., "Collective communication: theory, practice, and experience", 2007 (bucket algorithm). */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"

void tti_allgather_ring(const tti_shape *shape, tti_builder *builder)
{
    const int rank = shape->rank, size = shape->size;
    tti_extent part = tti_shape_received(shape, rank);
    tti_place out = tti_place_at(TTI_OUTPUT, part.at);
    if (!shape->in_place) {
        tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), out, part.bytes);
        out = tti_place_at(TTI_INPUT, 0);
    }
    for (int t = 0; t < size - 1; t++) {
        const tti_extent next = tti_shape_received(shape, tti_ring(rank, -t - 1, size));
        const tti_place in = tti_place_at(TTI_OUTPUT, next.at);
        tti_build_send(builder, out, part.bytes, tti_ring(rank, 1, size), t);
        tti_build_recv(builder, in, next.bytes, tti_ring(rank, -1, size), t);
        out = in;
        part = next;
    }
}
