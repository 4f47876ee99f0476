/* SPDX-License-Identifier: BSD-3-Clause */
/* Each puts its block into the root's buffer; the root ends when all have. nβ, all at the same time, and two
 * meetings: on several processors several of them copy, where gather_shown has the root copy everything. */
#include "collectives/gather/gather.h"

void tti_gather_put(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), own = (size_t)shape->rank * bytes;
    const tti_place input = tti_place_at(TTI_INPUT, 0), output = tti_place_at(TTI_OUTPUT, 0);
    const bool root = shape->rank == shape->root;
    if (root && !shape->in_place) tti_build_copy(builder, input, tti_place_plus(output, own), bytes);
    if (shape->size == 1 || bytes == 0) return;
    if (root) {
        tti_build_show_room(builder, output, (size_t)shape->size * bytes, false);
        tti_build_await_post(builder, TTI_ALL, 1);
        return;
    }
    tti_build_await_post(builder, shape->root, 0);
    tti_build_put(builder, shape->root, input, own, bytes);
    tti_build_post(builder, shape->root);
}
