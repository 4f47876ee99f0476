/* SPDX-License-Identifier: BSD-3-Clause */
/* What algorithms on shared memory have in common: long data passes through WINDOWs in blocks, for which the
 * regions of a WINDOW take turns. */
#ifndef TTI_COMPOSE_WINDOW_BLOCKS_H
#define TTI_COMPOSE_WINDOW_BLOCKS_H

#include "collectives/algorithm.h"

typedef struct {
    size_t bytes;  /* of the data */
    size_t block;  /* of a block, whole elements */
    size_t stride; /* from one region to the next */
    int count;     /* blocks; at least 1, also of no data */
} tti_window;

/* Regions begin on cache lines of their own; algorithms have up to so many. */
#define TTI_WINDOW_LINE ((size_t)64)
#define TTI_WINDOW_REGIONS 4

/* Whether blocks of such elements find room in regions of WINDOWs of so many bytes. */
static inline bool tti_window_holds(size_t window, size_t element)
{
    return window / TTI_WINDOW_REGIONS / TTI_WINDOW_LINE * TTI_WINDOW_LINE >= element;
}

/* For a WINDOW in `regions` regions of one block. */
tti_window tti_window_open(const tti_shape *shape, size_t bytes, int regions);

static inline size_t tti_window_region(const tti_window *window, int region)
{
    return (size_t)region * window->stride;
}
/* Where block `k` begins in the data, and its bytes. */
static inline size_t tti_window_at(const tti_window *window, int k)
{
    return (size_t)k * window->block;
}
static inline size_t tti_window_bytes(const tti_window *window, int k)
{
    const size_t left = window->bytes - tti_window_at(window, k);
    return left < window->block ? left : window->block;
}

/* Combines what all ranks have at `offset` of their WINDOWs, in rank order, into `to`. */
void tti_window_combine(const tti_shape *shape, tti_builder *builder, size_t offset, tti_place to,
                        size_t bytes);

#endif
