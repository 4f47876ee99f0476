/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_parts.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

/* What parts of so many bytes begin at: lines, where there is a whole one, else words. */
static size_t unit_of(size_t bytes)
{
    return bytes >= TTI_LINE ? TTI_LINE : TTI_STEP_WORD;
}

static size_t even(size_t bytes)
{
    return bytes / unit_of(bytes) * unit_of(bytes);
}

/* Where the size of what is in a share lies; of one share more: where all of them end. */
static size_t size_at(const tti_window_parts *parts, int share)
{
    return share == 0 ? 0 : parts->lead + (size_t)(share - 1) * parts->first;
}

tti_window_parts tti_window_parts_open(const tti_shape *shape, tti_builder *builder, int readers)
{
    const size_t beside = shape->beside, front = shape->front > 0 ? shape->front : shape->window;
    const size_t share = even((front - beside) / (size_t)readers), quarter = even(share / 4);
    tti_window_parts parts = {.shape = shape, .builder = builder, .readers = readers};
    parts.first = quarter < TTI_WINDOW_PARTS_SMALL ? quarter : TTI_WINDOW_PARTS_SMALL;
    if (quarter == 0) return parts; /* all are messages */
    parts.lead = beside > 0 ? beside : parts.first;
    parts.begin = size_at(&parts, readers);
    parts.stride = share - parts.first;
    if (shape->front > 0) {
        parts.middle = even((front - parts.begin) / (size_t)readers);
        parts.begin = front;
        parts.stride = even((shape->window - front) / (size_t)readers);
    }
    parts.most = shape->chunk < parts.stride ? shape->chunk : parts.stride;
    parts.block = even(parts.stride / 2);
    return parts;
}

tti_window_parts tti_window_parts_open_all(const tti_shape *shape, tti_builder *builder)
{
    const int others = tti_shape_sharers(shape) - 1;
    return tti_window_parts_open(shape, builder, others > 0 ? others : 1);
}

tti_window_parts tti_window_parts_open_equal(const tti_shape *shape, tti_builder *builder, int readers,
                                             size_t bytes)
{
    const size_t share = even(shape->window / (size_t)readers);
    const size_t unit = unit_of(bytes);
    return (tti_window_parts){.shape = shape,
                              .builder = builder,
                              .readers = readers,
                              .most = shape->chunk < share ? shape->chunk : share,
                              .stride = bytes > share ? share : (bytes + unit - 1) / unit * unit,
                              .block = even(share / 2)};
}

tti_window_parts tti_window_parts_open_one(const tti_shape *shape, tti_builder *builder, int readers)
{
    const size_t words = shape->parted ? (size_t)readers * TTI_STEP_WORD : 0;
    const size_t room = words <= shape->window / 2 ? shape->window - words : 0;
    const size_t word = words > 0 && room > 0 ? TTI_STEP_WORD : 0;
    return (tti_window_parts){.shape = shape,
                              .builder = builder,
                              .readers = readers,
                              .lead = word,
                              .first = word,
                              .begin = word > 0 ? words : 0,
                              .most = shape->chunk < room ? shape->chunk : room,
                              .block = even(room / 2)};
}

/* The share of `reader` in the WINDOW of `owner`: the neighbour's first, of which a little comes in the line
 * that the post is in. */
static int share_of(const tti_window_parts *parts, int owner, int reader)
{
    const tti_shape *s = parts->shape;
    if (parts->readers <= 1) return 0;
    return tti_ring(tti_shape_place(s, reader), -tti_shape_place(s, owner) - 1, tti_shape_sharers(s));
}

/* Where a part of so many bytes lies. */
static size_t place_of(const tti_window_parts *parts, int share, size_t bytes)
{
    const size_t small = share == 0 ? parts->lead : parts->first;
    if (bytes + TTI_STEP_WORD <= small) return size_at(parts, share) + TTI_STEP_WORD;
    if (bytes <= parts->middle) return size_at(parts, parts->readers) + (size_t)share * parts->middle;
    return parts->begin + (size_t)share * parts->stride;
}

void tti_window_parts_tell(const tti_window_parts *parts, int share, size_t bytes)
{
    if (parts->lead > 0)
        tti_build_tell(parts->builder, tti_place_at(TTI_WINDOW, size_at(parts, share)), bytes);
}

void tti_window_parts_put(const tti_window_parts *parts, int share, tti_place from, size_t bytes)
{
    const tti_place to = tti_place_at(TTI_WINDOW, place_of(parts, share, bytes));
    if (bytes <= parts->most) tti_build_copy(parts->builder, from, to, bytes);
}

void tti_window_parts_get(const tti_window_parts *parts, int peer, int share, tti_place to, size_t bytes)
{
    if (parts->lead > 0) tti_build_compare(parts->builder, peer, size_at(parts, share), bytes);
    if (bytes <= parts->most)
        tti_build_copy_from(parts->builder, peer, place_of(parts, share, bytes), to, bytes);
}

void tti_window_parts_show(const tti_window_parts *parts, int peer, tti_place from, size_t bytes)
{
    const int share = share_of(parts, parts->shape->rank, peer);
    tti_window_parts_tell(parts, share, bytes);
    tti_window_parts_put(parts, share, from, bytes);
}

void tti_window_parts_take(const tti_window_parts *parts, int peer, tti_place to, size_t bytes)
{
    tti_window_parts_get(parts, peer, share_of(parts, peer, parts->shape->rank), to, bytes);
}

int tti_window_parts_blocks(const tti_window_parts *parts, size_t bytes)
{
    if (parts->block == 0 || bytes <= parts->most || bytes > parts->shape->chunk) return 0;
    return (int)((bytes + parts->block - 1) / parts->block);
}

/* A block of a part: where it lies in the part, its bytes, and its place in a WINDOW. */
typedef struct {
    size_t at, bytes, place;
} block;

static block block_of(const tti_window_parts *parts, int share, int k, size_t bytes)
{
    const size_t most = parts->block, at = (size_t)k * most, left = bytes - at;
    const size_t begin = parts->begin + (size_t)share * parts->stride;
    return (block){at, left < most ? left : most, begin + (size_t)(k % TTI_WINDOW_HALVES) * most};
}

void tti_window_parts_put_block(const tti_window_parts *parts, int share, int k, tti_place from, size_t bytes)
{
    const block b = block_of(parts, share, k, bytes);
    tti_build_copy(parts->builder, tti_place_plus(from, b.at), tti_place_at(TTI_WINDOW, b.place), b.bytes);
}

void tti_window_parts_get_block(const tti_window_parts *parts, int peer, int share, int k, tti_place to,
                                size_t bytes)
{
    const block b = block_of(parts, share, k, bytes);
    tti_build_copy_from(parts->builder, peer, b.place, tti_place_plus(to, b.at), b.bytes);
}

void tti_window_parts_show_block(const tti_window_parts *parts, int peer, int k, tti_place from, size_t bytes)
{
    tti_window_parts_put_block(parts, share_of(parts, parts->shape->rank, peer), k, from, bytes);
}

void tti_window_parts_take_block(const tti_window_parts *parts, int peer, int k, tti_place to, size_t bytes)
{
    tti_window_parts_get_block(parts, peer, share_of(parts, peer, parts->shape->rank), k, to, bytes);
}
