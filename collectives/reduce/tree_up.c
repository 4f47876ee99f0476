/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/reduce/tree_up.h"

#include "collectives/compose/buffers.h"

/* The sum stays in one. */
#define BUFFERS_LEAST 3

tti_place tti_tree_up(const tti_shape *shape, tti_builder *builder, const int *children, int count,
                      const tti_place *last)
{
    const size_t bytes = tti_shape_bytes(shape);
    const tti_buffers buffers =
        tti_buffers_open(builder, bytes, tti_buffers_count(bytes, BUFFERS_LEAST, count));
    tti_place sum = tti_shape_own(shape);
    for (int i = 0; i < count; i++) {
        tti_place to = tti_buffers_at(&buffers, i);
        if (last != NULL && i == count - 1 && sum.space != last->space) to = *last;
        tti_build_recv(builder, to, bytes, children[i], TTI_TAG_TREE_UP);
        tti_build_reduce(builder, sum, to, bytes);
        sum = to;
    }
    return sum;
}
