/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/reduce/tree_up.h"

/* Receive buffers in use at once: enough to receive while reducing, and more only while they are small. */
#define LEAST_SLOTS 3
#define SLOTS_BYTES ((size_t)256 << 10)

static int slots_for(size_t bytes, int children)
{
    const size_t fitting = SLOTS_BYTES / (bytes > 0 ? bytes : 1);
    const int slots = fitting < LEAST_SLOTS ? LEAST_SLOTS : fitting > 1024 ? 1024 : (int)fitting;
    return slots < children ? slots : children;
}

tti_place tti_tree_up(const tti_shape *shape, tti_builder *builder, const int *children, int count,
                      const tti_place *last)
{
    const size_t bytes = tti_shape_bytes(shape), stride = (bytes + 63) & ~(size_t)63;
    const int slots = slots_for(bytes, count);
    const tti_place scratch = tti_build_scratch(builder, stride * (size_t)slots);
    tti_place sum = tti_shape_own(shape);
    for (int i = 0; i < count; i++) {
        tti_place slot = tti_place_plus(scratch, stride * (size_t)(i % slots));
        if (last != NULL && i == count - 1 && sum.space != last->space) slot = *last;
        tti_build_recv(builder, slot, bytes, children[i], TTI_TAG_TREE_UP);
        tti_build_reduce(builder, sum, slot, bytes);
        sum = slot;
    }
    return sum;
}
