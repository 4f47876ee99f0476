/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/two_tree_up.h"

#include "collectives/compose/chunks.h"
#include "collectives/patterns/tree.h"

/* Chunks that a rank works on at once, with two buffers each. */
#define CHUNKS 4

void tti_two_tree_up_open(const tti_shape *shape, tti_builder *builder, int turn, tti_two_tree_up *up)
{
    const int place = tti_rotate(shape->rank, turn, shape->size);
    const size_t bytes = tti_shape_bytes(shape), chunk = tti_chunk_elements(shape);
    *up = (tti_two_tree_up){.shape = shape, .builder = builder, .turn = turn};
    for (int t = 0; t < 2; t++)
        up->tree[t] = tti_two_tree_at(place, shape->size, t);
    up->buffers = tti_buffers_open(builder, chunk < bytes ? chunk : bytes, shape->size > 1 ? 2 * CHUNKS : 0);
}

int tti_two_tree_rank(const tti_two_tree_up *up, int place)
{
    return tti_rotate_back(place, up->turn, up->shape->size);
}

tti_place tti_two_tree_take(const tti_two_tree_up *up, const tti_up_chunk *chunk, bool output)
{
    const tti_two_tree *tree = &up->tree[chunk->number % 2];
    const tti_place own = tti_place_plus(tti_shape_own(up->shape), chunk->at);
    if (tree->low < 0 && tree->high < 0) return own;
    const tti_place sum = output && own.space != TTI_OUTPUT ? tti_place_at(TTI_OUTPUT, chunk->at)
                                                            : tti_buffers_at(&up->buffers, 2 * chunk->number);
    if (tree->high >= 0) {
        tti_build_recv(up->builder, sum, chunk->bytes, tti_two_tree_rank(up, tree->high), chunk->number);
        tti_build_reduce(up->builder, own, sum, chunk->bytes);
    } else {
        tti_build_copy(up->builder, own, sum, chunk->bytes);
    }
    if (tree->low < 0) return sum;
    const tti_place other = tti_buffers_at(&up->buffers, 2 * chunk->number + 1);
    tti_build_recv(up->builder, other, chunk->bytes, tti_two_tree_rank(up, tree->low), chunk->number);
    tti_build_reduce(up->builder, other, sum, chunk->bytes);
    return sum;
}
