/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank's block, or part, by one message of its own, straight into its place at the root. (P - 1)·(α +
 * nβ) at the root, and no block is moved twice: for large blocks. */
#include "collectives/gather/gather.h"

void tti_gather_messages(const tti_shape *shape, tti_builder *builder, size_t beyond)
{
    if (shape->rank != shape->root) {
        const size_t bytes = tti_shape_own_bytes(shape);
        if (bytes > (tti_shape_shares(shape, shape->rank, shape->root) ? beyond : 0))
            tti_build_send(builder, tti_place_at(TTI_INPUT, 0), bytes, shape->root, 0);
        return;
    }
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_received(shape, r);
        const tti_place place = tti_place_at(TTI_OUTPUT, part.at);
        if (r != shape->root && part.bytes > (tti_shape_shares(shape, r, shape->root) ? beyond : 0))
            tti_build_recv(builder, place, part.bytes, r, 0);
        else if (r == shape->root && !shape->in_place)
            tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), place, part.bytes);
    }
}

void tti_gather_linear(const tti_shape *shape, tti_builder *builder)
{
    tti_gather_messages(shape, builder, 0);
}
