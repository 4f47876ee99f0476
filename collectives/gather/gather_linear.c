/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/gather/gather.h"

/* Each rank's block by one message of its own, straight into its place at the root. */
void tti_gather_linear(const tti_shape *shape, tti_builder *builder)
{
    const size_t block = tti_shape_bytes(shape);
    if (shape->rank != shape->root) {
        tti_build_send(builder, tti_place_at(TTI_INPUT, 0), block, shape->root, 0);
        return;
    }
    for (int r = 0; r < shape->size; r++) {
        const tti_place place = tti_place_at(TTI_OUTPUT, block * (size_t)r);
        if (r != shape->root)
            tti_build_recv(builder, place, block, r, 0);
        else if (!shape->in_place)
            tti_build_copy(builder, tti_place_at(TTI_INPUT, 0), place, block);
    }
}
