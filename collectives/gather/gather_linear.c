/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank's block, or part, by one message of its own, straight into its place at the root. (P - 1)·(α +
 * nβ) at the root, and no block is moved twice: for large blocks. */
#include "collectives/gather/gather.h"

/* Each other's part, if there is one that comes as a message. */
static void receive_parts(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out)
{
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_received(shape, r);
        if (r != shape->root && part.bytes > tti_rooted_short_of(shape, left_out, r))
            tti_build_recv(builder, tti_place_at(TTI_OUTPUT, part.at), part.bytes, r, 0);
    }
}

/* The root copies its own part while others' come. */
void tti_gather_messages(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out)
{
    if (shape->rank != shape->root) {
        const size_t bytes = tti_shape_own_bytes(shape);
        if (bytes > tti_rooted_short_of(shape, left_out, shape->rank))
            tti_build_send(builder, tti_place_at(TTI_INPUT, 0), bytes, shape->root, 0);
        return;
    }
    receive_parts(shape, builder, left_out);
    if (shape->in_place) return;
    const tti_extent own = tti_shape_received(shape, shape->root);
    tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), tti_place_at(TTI_OUTPUT, own.at), own.bytes);
}

void tti_gather_linear(const tti_shape *shape, tti_builder *builder)
{
    tti_gather_messages(shape, builder, (tti_rooted_short){0, 0});
}
