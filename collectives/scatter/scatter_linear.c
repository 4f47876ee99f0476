/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank's block, or part, by one message of its own, straight from its place at the root. (P - 1)·(α +
 * nβ) at the root: for large blocks. */
#include "collectives/scatter/scatter.h"

/* Each other's part, if there is one that goes as a message. */
static void send_parts(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out)
{
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_sent(shape, r);
        const tti_place theirs = tti_place_plus(tti_shape_own(shape), part.at);
        if (r != shape->root && part.bytes > tti_rooted_short_of(shape, left_out, r))
            tti_build_send(builder, theirs, part.bytes, r, 0);
    }
}

/* The root copies its own part while others fetch theirs. */
void tti_scatter_messages(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    if (shape->rank != shape->root) {
        const size_t bytes = tti_shape_own_bytes(shape);
        if (bytes > tti_rooted_short_of(shape, left_out, shape->rank))
            tti_build_recv(builder, output, bytes, shape->root, 0);
        return;
    }
    send_parts(shape, builder, left_out);
    if (shape->in_place) return;
    const tti_extent own = tti_shape_sent(shape, shape->root);
    tti_build_copy(builder, tti_place_plus(tti_shape_own(shape), own.at), output, own.bytes);
}

void tti_scatter_linear(const tti_shape *shape, tti_builder *builder)
{
    tti_scatter_messages(shape, builder, (tti_rooted_short){0, 0});
}
