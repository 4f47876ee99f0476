/* SPDX-License-Identifier: BSD-3-Clause */
/* Each copies its block out of the root's buffer; the root ends when all have. nβ, all at the same time, and
 * two meetings. */
#include "collectives/scatter/scatter.h"

void tti_scatter_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), own = (size_t)shape->rank * bytes;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const bool root = shape->rank == shape->root;
    if (root && !shape->in_place) tti_build_copy(builder, tti_place_at(TTI_INPUT, own), output, bytes);
    if (shape->size == 1 || bytes == 0) return;
    if (root) {
        tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), (size_t)shape->size * bytes);
        tti_build_await_post(builder, TTI_ALL, 1);
        return;
    }
    tti_build_await_post(builder, shape->root, 0);
    tti_build_copy_shown(builder, shape->root, tti_place_at(TTI_INPUT, own), output, bytes);
    tti_build_post(builder, shape->root);
}
