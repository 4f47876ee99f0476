/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/scatter/scatter.h"

/* Each rank's block, or part, by one message of its own, straight from its place at the root. */
void tti_scatter_linear(const tti_shape *shape, tti_builder *builder)
{
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    if (shape->rank != shape->root) {
        tti_build_recv(builder, output, tti_shape_own_bytes(shape), shape->root, 0);
        return;
    }
    for (int r = 0; r < shape->size; r++) {
        const tti_extent part = tti_shape_sent(shape, r);
        const tti_place theirs = tti_place_plus(tti_shape_own(shape), part.at);
        if (r != shape->root)
            tti_build_send(builder, theirs, part.bytes, r, 0);
        else if (!shape->in_place)
            tti_build_copy(builder, theirs, output, part.bytes);
    }
}
