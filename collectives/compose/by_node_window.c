/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/by_node_window.h"

#include "collectives/compose/window_blocks.h"

/* A post of the leader's says that it has read a block whose place somebody waits to fill. */
static void combine(const tti_by_node *by, tti_builder *builder, const tti_blocks *blocks)
{
    const tti_place sum = tti_place_at(TTI_OUTPUT, 0);
    tti_build_copy(builder, tti_shape_own(&by->inside), sum, blocks->bytes);
    for (int k = 0; k < blocks->count; k++) {
        tti_build_await_post(builder, TTI_ALL, by->other_posts + k + 1);
        for (int i = 0; i < by->inside.size; i++)
            if (i != by->lead)
                tti_build_reduce_from(builder, i, tti_blocks_half(blocks, k),
                                      tti_place_plus(sum, tti_blocks_at(blocks, k)),
                                      tti_blocks_bytes(blocks, k));
        if (k + TTI_WINDOW_HALVES < blocks->count) tti_build_post(builder, TTI_ALL);
    }
}

static void show_own(const tti_by_node *by, tti_builder *builder, const tti_blocks *blocks)
{
    for (int k = 0; k < blocks->count; k++) {
        if (k >= TTI_WINDOW_HALVES)
            tti_build_await_post(builder, by->lead, by->lead_posts + k - TTI_WINDOW_HALVES + 1);
        tti_blocks_show(builder, blocks, tti_shape_own(&by->inside), k);
        tti_build_post(builder, by->lead);
    }
}

void tti_by_node_combine(tti_by_node *by, tti_builder *builder)
{
    const tti_blocks blocks = tti_blocks_open(&by->inside, tti_shape_bytes(&by->inside), TTI_WINDOW_HALVES);
    if (by->inside.size == 1 || blocks.bytes == 0) return;
    tti_build_part(builder, by->local);
    if (by->leads)
        combine(by, builder, &blocks);
    else
        show_own(by, builder, &blocks);
    by->lead_posts += blocks.count > TTI_WINDOW_HALVES ? blocks.count - TTI_WINDOW_HALVES : 0;
    by->other_posts += blocks.count;
}

tti_by_node_blocks tti_by_node_blocks_of(const tti_by_node *by, size_t begin)
{
    const size_t chunk = by->inside.chunk, element = by->inside.element, first = tti_lines(begin);
    const size_t wanted = tti_lines(chunk > element ? chunk : element), room = by->inside.window - first;
    const size_t most = room / TTI_WINDOW_HALVES / TTI_LINE * TTI_LINE;
    const size_t stride = wanted < most ? wanted : most;
    return (tti_by_node_blocks){.begin = first,
                                .block = stride / element * element,
                                .stride = stride,
                                .regions = (int)(room / stride),
                                .take = tti_build_copy_from};
}

/* The leader shows the next block. A post of a reader's says that it has read a block whose place will be
 * filled again: more than `regions` blocks before the last. */
static void show(const tti_by_node *by, tti_builder *builder, const tti_by_node_blocks *blocks,
                 tti_place from, size_t bytes)
{
    const int k = blocks->passed, regions = blocks->regions;
    const size_t region = blocks->begin + (size_t)(k % regions) * blocks->stride;
    if (k >= regions) tti_build_await_post(builder, TTI_ALL, by->other_posts + k - regions + 1);
    tti_build_copy(builder, from, tti_place_at(TTI_WINDOW, region), bytes);
    tti_build_post(builder, TTI_ALL);
}

/* Another rank takes what it wants of it: `bytes` from `skip` on. */
static void take(const tti_by_node *by, tti_builder *builder, const tti_by_node_blocks *blocks, size_t skip,
                 tti_place to, size_t bytes)
{
    const int k = blocks->passed, regions = blocks->regions;
    const size_t region = blocks->begin + (size_t)(k % regions) * blocks->stride;
    if (bytes > 0) {
        tti_build_await_post(builder, by->lead, by->lead_posts + k + 1);
        blocks->take(builder, by->lead, region + skip, to, bytes);
    }
    if (k + regions < blocks->count) tti_build_post(builder, by->lead);
}

/* Of `bytes` at `from` each of the others takes what is in its part. */
static void pass_part(const tti_by_node *by, tti_builder *builder, tti_by_node_blocks *blocks, tti_place from,
                      size_t bytes, tti_place to, tti_extent part)
{
    if (by->inside.size == 1) return;
    tti_build_part(builder, by->local);
    for (size_t at = 0; at < bytes; at += blocks->block, blocks->passed++) {
        const size_t end = blocks->block < bytes - at ? at + blocks->block : bytes;
        const size_t low = part.at > at ? part.at : at,
                     high = part.at + part.bytes < end ? part.at + part.bytes : end;
        if (by->leads)
            show(by, builder, blocks, tti_place_plus(from, at), end - at);
        else
            take(by, builder, blocks, low - at, tti_place_plus(to, low - part.at),
                 high > low ? high - low : 0);
    }
}

void tti_by_node_pass(const tti_by_node *by, tti_builder *builder, tti_by_node_blocks *blocks,
                      tti_place place, size_t bytes)
{
    pass_part(by, builder, blocks, place, bytes, place, (tti_extent){0, bytes});
}

void tti_by_node_deal_shared(const tti_by_node *by, tti_builder *builder, const tti_table *parts,
                             tti_place from, tti_place to)
{
    const size_t element = by->inside.element, bytes = tti_table_total(parts, by->inside.size) * element;
    tti_by_node_blocks blocks = tti_by_node_blocks_of(by, 0);
    tti_by_node_count(&blocks, bytes);
    pass_part(by, builder, &blocks, from, bytes, to, tti_table_part(parts, element, by->inside.rank));
}
