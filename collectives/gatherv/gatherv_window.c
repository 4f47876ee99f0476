/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_blocks.h"
#include "collectives/compose/window_parts.h"
#include "collectives/gather/gather.h"
#include "collectives/gatherv/gatherv.h"

#define READERS 1 /* the root */
#define HALVES 2
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
    const size_t half = c.parts.stride / HALVES / TTI_WINDOW_LINE * TTI_WINDOW_LINE;
    const size_t all = BLOCKS_MOST * half;
    c.most = half < c.parts.most ? (shape->chunk < all ? shape->chunk : all) : c.parts.most;
    if (half < c.parts.most) c.parts.most = half;
    return c;
}

static int blocks(const call *c, size_t bytes)
{
    if (bytes > c->most) return 0;
    return bytes <= c->parts.most ? 1 : (int)((bytes + c->parts.most - 1) / c->parts.most);
}

static size_t block_bytes(const call *c, size_t bytes, int k)
{
    const size_t left = bytes - (size_t)k * c->parts.most;
    return left < c->parts.most ? left : c->parts.most;
}

/* Where block `k` of several lies. */
static size_t half_of(const call *c, int k)
{
    return c->parts.first + (size_t)(k % HALVES) * c->parts.most;
}

static void show(const call *c)
{
    const tti_shape *shape = c->parts.shape;
    const size_t bytes = tti_shape_own_bytes(shape);
    const int count = blocks(c, bytes);
    if (count <= 1) {
        tti_window_parts_show(&c->parts, shape->root, tti_place_at(TTI_INPUT, 0), bytes);
        tti_build_post(c->parts.builder, shape->root);
    } else {
        tti_window_parts_tell(&c->parts, 0, bytes);
    }
    for (int k = 0; k < count && count > 1; k++) {
        if (k >= HALVES) tti_build_await_post(c->parts.builder, shape->root, k - HALVES + 1);
        tti_build_copy(c->parts.builder, tti_place_at(TTI_INPUT, (size_t)k * c->parts.most),
                       tti_place_at(TTI_WINDOW, half_of(c, k)), block_bytes(c, bytes, k));
        tti_build_post(c->parts.builder, shape->root);
    }
}

/* As the root: block `k` of a rank's part, or with the first all of a short one; the size of any. */
static void take(const call *c, int rank, int k)
{
    const tti_extent part = tti_shape_received(c->parts.shape, rank);
    const int count = blocks(c, part.bytes);
    if (k >= count && k > 0) return;
    if (k > 0) tti_build_await_post(c->parts.builder, rank, k + 1);
    if (count <= 1) {
        tti_window_parts_take(&c->parts, rank, tti_place_at(TTI_OUTPUT, part.at), part.bytes);
        return;
    }
    if (k == 0) tti_build_compare(c->parts.builder, rank, 0, part.bytes);
    tti_build_copy_from(c->parts.builder, rank, half_of(c, k),
                        tti_place_at(TTI_OUTPUT, part.at + (size_t)k * c->parts.most),
                        block_bytes(c, part.bytes, k));
}

/* As the root, which says that blocks have been read where somebody waits to show the next in their place. */
static void collect(const call *c)
{
    const tti_shape *shape = c->parts.shape;
    int most = 1;
    for (int r = 0; r < shape->size; r++) {
        const int count = blocks(c, tti_shape_received(shape, r).bytes);
        if (tti_shape_shares(shape, r, shape->root) && count > most) most = count;
    }
    tti_build_await_post(c->parts.builder, TTI_ALL, 1);
    for (int k = 0; k < most; k++) {
        for (int r = 0; r < shape->size; r++)
            if (tti_shape_shares(shape, r, shape->root)) take(c, r, k);
        if (k + HALVES < most) tti_build_post(c->parts.builder, TTI_ALL);
    }
}

/* Who shares memory with the root shows its part, and its size, and the root copies them into place. Parts
 * beyond a chunk, and those of other nodes, go as messages meanwhile. */
void tti_gatherv_window(const tti_shape *shape, tti_builder *builder)
{
    const call c = open(shape, builder);
    tti_gather_messages(shape, builder, c.most);
    if (shape->rank != shape->root && tti_shape_shares(shape, shape->rank, shape->root)) show(&c);
    if (shape->rank == shape->root && shape->window > 0 && tti_shape_sharers(shape) > 1) collect(&c);
}
