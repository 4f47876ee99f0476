/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares memory with the root shows its part, and its size, and the root copies them into place, each as
 * it comes. Parts beyond a chunk, and those of other nodes, go as messages meanwhile. */
#include "collectives/compose/window_blocks.h"
#include "collectives/compose/window_parts.h"
#include "collectives/gather/gather.h"
#include "collectives/gatherv/gatherv.h"

#define READERS 1 /* the root */
/* A part of more blocks is a message: a schedule has a step for each of them. */
#define BLOCKS_MOST 256

/* A part that is longer than half of a WINDOW passes in blocks, for which the halves take turns. */
typedef struct {
    tti_window_parts parts; /* of one block */
    size_t most;            /* bytes of a part that is no message */
} call;

static call open(const tti_shape *shape, tti_builder *builder)
{
    call c = {.parts = tti_window_parts_open(shape, builder, READERS)};
    const size_t half = c.parts.stride / TTI_WINDOW_HALVES / TTI_LINE * TTI_LINE;
    const size_t all = BLOCKS_MOST * half;
    c.most = c.parts.most;
    if (half == 0 || half >= c.parts.most) return c;
    c.most = shape->chunk < all ? shape->chunk : all;
    c.parts.most = half;
    return c;
}

/* The blocks of a part; none of a message. */
static tti_blocks blocks_of(const call *c, size_t bytes)
{
    tti_blocks blocks = {.bytes = bytes, .block = c->parts.most, .stride = c->parts.most, .count = 1};
    if (bytes > c->most)
        blocks.count = 0;
    else if (bytes > c->parts.most)
        blocks.count = (int)((bytes + blocks.block - 1) / blocks.block);
    return blocks;
}

/* Where block `k` of several lies. */
static size_t half_of(const call *c, const tti_blocks *blocks, int k)
{
    return c->parts.begin + tti_blocks_half(blocks, k);
}

static void show(const call *c)
{
    const tti_shape *shape = c->parts.shape;
    const tti_blocks blocks = blocks_of(c, tti_shape_own_bytes(shape));
    if (blocks.count <= 1) {
        tti_window_parts_show(&c->parts, shape->root, tti_place_at(TTI_INPUT, 0), blocks.bytes);
        tti_build_post(c->parts.builder, shape->root);
        return;
    }
    tti_window_parts_tell(&c->parts, 0, blocks.bytes);
    for (int k = 0; k < blocks.count; k++) {
        if (k >= TTI_WINDOW_HALVES)
            tti_build_await_post(c->parts.builder, shape->root, k - TTI_WINDOW_HALVES + 1);
        tti_build_copy(c->parts.builder, tti_place_at(TTI_INPUT, tti_blocks_at(&blocks, k)),
                       tti_place_at(TTI_WINDOW, half_of(c, &blocks, k)), tti_blocks_bytes(&blocks, k));
        tti_build_post(c->parts.builder, shape->root);
    }
}

/* As the root: block `k` of a rank's part, or with the first all of a short one; the size of any. */
static void take(const call *c, int rank, int k)
{
    const tti_extent part = tti_shape_received(c->parts.shape, rank);
    const tti_blocks blocks = blocks_of(c, part.bytes);
    if (k > 0 && k >= blocks.count) return;
    tti_build_await_post(c->parts.builder, rank, k + 1);
    if (blocks.count <= 1) {
        tti_window_parts_take(&c->parts, rank, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
        return;
    }
    if (k == 0) tti_build_compare(c->parts.builder, rank, 0, part.bytes);
    tti_build_copy_from(c->parts.builder, rank, half_of(c, &blocks, k),
                        tti_place_at(TTI_OUTPUT, part.at + tti_blocks_at(&blocks, k)),
                        tti_blocks_bytes(&blocks, k));
}

/* As the root, which says that blocks have been read where somebody waits to show the next in their place. */
static void collect(const call *c)
{
    const tti_shape *shape = c->parts.shape;
    int most = 1;
    for (int r = 0; r < shape->size; r++) {
        const int count = blocks_of(c, tti_shape_received(shape, r).bytes).count;
        if (tti_shape_shares(shape, r, shape->root) && count > most) most = count;
    }
    for (int k = 0; k < most; k++) {
        for (int r = 0; r < shape->size; r++)
            if (tti_shape_shares(shape, r, shape->root)) take(c, r, k);
        if (k + TTI_WINDOW_HALVES < most) tti_build_post(c->parts.builder, TTI_ALL);
    }
}

void tti_gatherv_inside(const tti_shape *shape, tti_builder *builder, size_t joined)
{
    const call c = open(shape, builder);
    tti_gather_messages(shape, builder, (tti_rooted_short){c.most, joined});
    if (shape->rank != shape->root && tti_shape_shares(shape, shape->rank, shape->root)) show(&c);
    if (shape->rank == shape->root && shape->window > 0 && tti_shape_sharers(shape) > 1) collect(&c);
}

void tti_gatherv_window(const tti_shape *shape, tti_builder *builder)
{
    tti_gatherv_inside(shape, builder, 0);
}
