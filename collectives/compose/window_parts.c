/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/compose/window_parts.h"

#include "collectives/compose/window_blocks.h"
#include "collectives/patterns/parts.h"

#define FIRST_MOST ((size_t)256)

/* Down to whole lines where there is one. */
static size_t even(size_t bytes)
{
    const size_t unit = bytes >= TTI_WINDOW_LINE ? TTI_WINDOW_LINE : TTI_STEP_WORD;
    return bytes / unit * unit;
}

tti_window_parts tti_window_parts_open(const tti_shape *shape, tti_builder *builder, int readers)
{
    const size_t share = even(shape->window / (size_t)readers), quarter = even(share / 4);
    tti_window_parts parts = {.shape = shape, .builder = builder, .readers = readers};
    parts.first = quarter < FIRST_MOST ? quarter : FIRST_MOST;
    parts.stride = share - parts.first;
    parts.most = shape->chunk < parts.stride ? shape->chunk : parts.stride;
    return parts;
}

/* The share of `reader` in the WINDOW of `owner`: the neighbour's first, of which a little comes in the line
 * that the post is in. */
static size_t share_of(const tti_window_parts *parts, int owner, int reader)
{
    return parts->readers > 1 ? (size_t)tti_ring(reader, -owner - 1, parts->shape->size) : 0;
}

/* Where a part of so many bytes lies. */
static size_t place_of(const tti_window_parts *parts, size_t share, size_t bytes)
{
    if (bytes <= parts->first - TTI_STEP_WORD) return share * parts->first + TTI_STEP_WORD;
    return (size_t)parts->readers * parts->first + share * parts->stride;
}

void tti_window_parts_show(const tti_window_parts *parts, int peer, tti_place from, size_t bytes)
{
    const size_t share = share_of(parts, parts->shape->rank, peer);
    tti_build_tell(parts->builder, share * parts->first, bytes);
    if (bytes <= parts->most)
        tti_build_copy(parts->builder, from, tti_place_at(TTI_WINDOW, place_of(parts, share, bytes)), bytes);
}

void tti_window_parts_take(const tti_window_parts *parts, int peer, tti_place to, size_t bytes)
{
    const size_t share = share_of(parts, peer, parts->shape->rank);
    tti_build_compare(parts->builder, peer, share * parts->first, bytes);
    if (bytes <= parts->most)
        tti_build_copy_from(parts->builder, peer, place_of(parts, share, bytes), to, bytes);
}
