/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_blocks.h"

tti_blocks tti_blocks_open(const tti_shape *shape, size_t bytes, int regions)
{
    tti_blocks blocks = {.bytes = bytes, .stride = shape->window / (size_t)regions / TTI_LINE * TTI_LINE};
    blocks.block = blocks.stride / shape->element * shape->element;
    if (bytes <= blocks.block) blocks.stride = tti_lines(bytes);
    blocks.count = bytes == 0 ? 1 : (int)((bytes + blocks.block - 1) / blocks.block);
    return blocks;
}

/* What is combined at a time, in bytes: it stays in the first cache while rank after rank is added. */
#define PIECE ((size_t)8 << 10)

/* The last one's first, so that what is there comes from higher ranks than what is combined with it. */
static void combine_piece(tti_builder *builder, int rank, tti_place own, tti_window_ranks ranks,
                          size_t offset, tti_place to, size_t bytes)
{
    for (int i = ranks.last; i >= ranks.first; i--) {
        const int r = ranks.list != NULL ? ranks.list[i] : i;
        if (r == rank && i == ranks.last)
            tti_build_copy(builder, own, to, bytes);
        else if (r == rank)
            tti_build_reduce(builder, own, to, bytes);
        else if (i == ranks.last)
            tti_build_copy_from(builder, r, offset, to, bytes);
        else
            tti_build_reduce_from(builder, r, offset, to, bytes);
    }
}

void tti_window_combine_with(tti_builder *builder, int rank, tti_place own, tti_window_ranks ranks,
                             size_t offset, tti_place to, size_t bytes)
{
    const size_t most = tti_build_whole_elements(builder, PIECE);
    for (size_t done = 0; done < bytes; done += most) {
        const size_t piece = bytes - done < most ? bytes - done : most;
        combine_piece(builder, rank, tti_place_plus(own, done), ranks, offset + done,
                      tti_place_plus(to, done), piece);
    }
}

static void await(const tti_window_call *call, int k)
{
    if (call->await != NULL)
        call->await(call, k);
    else
        tti_build_await_post(call->builder, TTI_ALL, call->posts + k + 1);
}

void tti_window_exchange(const tti_window_call *call, tti_window_fn *fill, tti_window_fn *take)
{
    fill(call, 0);
    tti_build_post(call->builder, TTI_ALL);
    for (int k = 0; k < call->blocks.count; k++) {
        const bool more = k + 1 < call->blocks.count;
        if (call->meanwhile != NULL) call->meanwhile(call, k);
        await(call, k);
        if (more) fill(call, k + 1);
        take(call, k);
        if (more) tti_build_post(call->builder, TTI_ALL);
    }
}
