/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of the buffer that the root shows: the others copy it, nβ and two meetings; of two ranks both do. */
#include "collectives/bcast/bcast.h"

/* The others copy out of the root's buffer; it ends when all have.
 *
 *   root       shows its data                      all have it
 *   others     it has begun       copy       post
 */
void tti_bcast_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_place data = tti_place_at(TTI_OUTPUT, 0);
    if (shape->size == 1 || bytes == 0) return;
    if (shape->rank == shape->root) {
        tti_build_show(builder, TTI_OUTPUT, data, bytes);
        tti_build_await_post(builder, TTI_ALL, 1);
        return;
    }
    tti_build_await_post(builder, shape->root, 0);
    tti_build_copy_shown(builder, shape->root, data, data, bytes);
    tti_build_post(builder, shape->root);
}

/* Of two ranks the root, which would only wait, puts the second half into the other's buffer.
 *
 *   root     shows its data    it has begun    puts    post    it has its half
 *   other    shows its room    it has begun    copies  post    its half is there
 */
void tti_bcast_shown_both(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), half = bytes / 2;
    const tti_place data = tti_place_at(TTI_OUTPUT, 0);
    const int other = 1 - shape->rank;
    if (shape->size != 2 || bytes == 0) {
        tti_bcast_shown(shape, builder);
        return;
    }
    if (shape->rank == shape->root)
        tti_build_show(builder, TTI_OUTPUT, data, bytes);
    else
        tti_build_show_room(builder, data, bytes, false);
    tti_build_await_post(builder, other, 0);
    if (shape->rank == shape->root)
        tti_build_put(builder, other, tti_place_plus(data, bytes - half), bytes - half, half);
    else
        tti_build_copy_shown(builder, other, data, data, bytes - half);
    tti_build_post(builder, other);
    tti_build_await_post(builder, other, 1);
}
