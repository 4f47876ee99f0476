/* SPDX-License-Identifier: BSD-3-Clause */
/* Out of the buffers that ranks show: the root combines all, (P - 1)·nγ and two meetings; of two ranks both
 * do. */
#include "collectives/compose/alone.h"
#include "collectives/compose/combine_shown.h"
#include "collectives/reduce/reduce.h"

/* The root combines all data where they are, and then lets the others go. */
void tti_reduce_shown(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape);
    if (tti_combines_alone(shape, builder, bytes)) return;
    const bool root = shape->rank == shape->root;
    if (!root) tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes);
    tti_build_await_post(builder, TTI_ALL, 0);
    if (root) {
        tti_combine_shown(shape, builder, shape->size - 1, (tti_extent){0, bytes},
                          tti_place_at(TTI_OUTPUT, 0));
        tti_build_post(builder, TTI_ALL);
    } else {
        tti_build_await_post(builder, shape->root, 1);
    }
}

/* Of two ranks the root combines so many eighths: the other has to put what it combines into the root's
 * memory. Of more bytes no cache of its own holds what the root is busy with, and it combines less. */
#define ROOT_SHARE 6
#define ROOT_SHARE_LONG 5
#define LONG ((size_t)512 << 10)
/* Bytes that the other combines before it puts them. */
#define PIECE ((size_t)128 << 10)

static void combine_and_put(const tti_shape *shape, tti_builder *builder, tti_extent part)
{
    const size_t most = tti_build_whole_elements(builder, PIECE);
    const tti_place sum = tti_build_scratch(builder, part.bytes < most ? part.bytes : most);
    for (size_t done = 0; done < part.bytes; done += most) {
        const size_t left = part.bytes - done, bytes = left < most ? left : most;
        tti_combine_shown(shape, builder, 1, (tti_extent){part.at + done, bytes}, sum);
        tti_build_put(builder, shape->root, sum, part.at + done, bytes);
    }
}

/* Of two ranks each combines a part, and the other one puts its part into the root's buffer. */
void tti_reduce_shown_both(const tti_shape *shape, tti_builder *builder)
{
    const size_t bytes = tti_shape_bytes(shape), share = bytes <= LONG ? ROOT_SHARE : ROOT_SHARE_LONG,
                 first = shape->count * share / 8 * shape->element;
    const tti_place output = tti_place_at(TTI_OUTPUT, 0);
    const int other = 1 - shape->rank;
    if (shape->size != 2) {
        tti_reduce_shown(shape, builder);
        return;
    }
    if (tti_combines_alone(shape, builder, bytes)) return;
    const bool root = shape->rank == shape->root;
    tti_build_show(builder, TTI_INPUT, tti_shape_own(shape), bytes);
    if (root) tti_build_show_room(builder, output, bytes, false);
    tti_build_await_post(builder, other, 0);
    if (root)
        tti_combine_shown(shape, builder, 1, (tti_extent){0, first}, output);
    else
        combine_and_put(shape, builder, (tti_extent){first, bytes - first});
    tti_build_post(builder, other);
    tti_build_await_post(builder, other, 1);
}
