/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/allgather/allgather.h"
#include "collectives/patterns/parts.h"

/* Each block goes once around the ring, straight into its place.
 *
 *   4 ranks        start   step 1   step 2   step 3
 *   rank 0         0···    0··3     0·23     0123
 *   rank 1         ·1··    01··     01·3     0123
 *
 * E. Chan et al., "Collective communication: theory, practice, and experience", 2007 (bucket algorithm). */
void tti_allgather_ring(const tti_shape *shape, tti_builder *builder)
{
    const size_t block = tti_shape_bytes(shape);
    const int rank = shape->rank, size = shape->size;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const tti_place mine = tti_place_plus(output, block * (size_t)rank);
    tti_place out = shape->in_place ? mine : tti_place_at(TTI_INPUT, 0);
    tti_build_copy(builder, out, mine, block);
    for (int t = 0; t < size - 1; t++) {
        const tti_place in = tti_place_plus(output, block * (size_t)tti_ring(rank, -t - 1, size));
        tti_build_send(builder, out, block, tti_ring(rank, 1, size), t);
        tti_build_recv(builder, in, block, tti_ring(rank, -1, size), t);
        out = in;
    }
}
