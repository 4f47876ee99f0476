/* SPDX-License-Identifier: BSD-3-Clause */
/* What algorithms on shared memory have in common: long data passes through WINDOWs in blocks, for which the
 * regions of a WINDOW take turns. */
#ifndef TTI_COMPOSE_WINDOW_BLOCKS_H
#define TTI_COMPOSE_WINDOW_BLOCKS_H

#include "collectives/contract/algorithm.h"

typedef struct {
    size_t bytes;  /* of the data */
    size_t block;  /* of a block, whole elements */
    size_t stride; /* from one region to the next */
    int count;     /* blocks; at least 1, also of no data */
} tti_blocks;

/* Algorithms have up to so many regions, or two for each rank. */
#define TTI_WINDOW_REGIONS 4

/* Whether blocks find room in regions of the shape's WINDOWs, also where there are two for each of the
 * `ranks` that share them. */
static inline bool tti_window_holds(const tti_shape *shape, int ranks)
{
    const size_t two_each = shape->window / (2 * (size_t)ranks);
    const size_t least =
        two_each < shape->window / TTI_WINDOW_REGIONS ? two_each : shape->window / TTI_WINDOW_REGIONS;
    return least >= TTI_LINE && least / TTI_LINE * TTI_LINE >= shape->element;
}

/* For a WINDOW in `regions` regions of one block. */
tti_blocks tti_blocks_open(const tti_shape *shape, size_t bytes, int regions);

static inline size_t tti_blocks_region(const tti_blocks *blocks, int region)
{
    return (size_t)region * blocks->stride;
}
/* Regions that take turns: two, so that the others read block `k` in one while its rank fills the other with
 * the next. More would make blocks shorter, and each block is a meeting. */
#define TTI_WINDOW_HALVES 2
static inline size_t tti_blocks_half(const tti_blocks *blocks, int k)
{
    return tti_blocks_region(blocks, k % TTI_WINDOW_HALVES);
}
/* The same of what comes of block `k`, in two regions behind those. */
static inline size_t tti_blocks_result_half(const tti_blocks *blocks, int k)
{
    return tti_blocks_region(blocks, TTI_WINDOW_HALVES + k % TTI_WINDOW_HALVES);
}
/* Where piece `k` for a rank of `size` lies, in one of two regions that each has. */
static inline size_t tti_blocks_region_for(const tti_blocks *blocks, int k, int rank, int size)
{
    return tti_blocks_region(blocks, k % TTI_WINDOW_HALVES * size + rank);
}
/* Where block `k` begins in the data, and its bytes. */
static inline size_t tti_blocks_at(const tti_blocks *blocks, int k)
{
    return (size_t)k * blocks->block;
}
static inline size_t tti_blocks_bytes(const tti_blocks *blocks, int k)
{
    const size_t left = blocks->bytes - tti_blocks_at(blocks, k);
    return left < blocks->block ? left : blocks->block;
}
/* Copies block `k` of the caller's data into its half of the caller's WINDOW. */
static inline void tti_blocks_show(tti_builder *builder, const tti_blocks *blocks, tti_place data, int k)
{
    tti_build_copy(builder, tti_place_plus(data, tti_blocks_at(blocks, k)),
                   tti_place_at(TTI_WINDOW, tti_blocks_half(blocks, k)), tti_blocks_bytes(blocks, k));
}
/* What of a part that may be shorter than the data, or empty, is in its block `k`. */
static inline tti_extent tti_blocks_cut(const tti_blocks *blocks, tti_extent part, int k)
{
    const size_t at = tti_blocks_at(blocks, k), left = part.bytes > at ? part.bytes - at : 0;
    return (tti_extent){part.at + at, left < blocks->block ? left : blocks->block};
}
/* A row of ranks, or of places in a list of them. */
typedef struct {
    int first, last;
    const int *list; /* NULL: places are ranks */
} tti_window_ranks;

/* Combines what these ranks have at `offset` of their WINDOWs, in order, into `to`, at `rank`, whose own
 * is `own`. */
void tti_window_combine_with(tti_builder *builder, int rank, tti_place own, tti_window_ranks ranks,
                             size_t offset, tti_place to, size_t bytes);
/* The same where its own is in its WINDOW, too. */
static inline void tti_window_combine(tti_builder *builder, int rank, tti_window_ranks ranks, size_t offset,
                                      tti_place to, size_t bytes)
{
    tti_window_combine_with(builder, rank, tti_place_at(TTI_WINDOW, offset), ranks, offset, to, bytes);
}
static inline tti_window_ranks tti_window_all(const tti_shape *shape)
{
    return (tti_window_ranks){0, shape->size - 1, NULL};
}

/* Where a rank whose contribution is also at `offset` of its WINDOW reads it, beginning at `at`, to combine
 * it with those of `ranks`: not in the WINDOW, if it may be read elsewhere. A processor may give the line
 * that it has written to whoever reads it, as the next to write there, and has to fetch it back to read it
 * itself: one passage between cores more, as long as all the rest of a short call. In place what is combined
 * goes to just where the contribution is, which only the last of these ranks, with whose the combining
 * begins, may leave there. */
static inline tti_place tti_window_own(const tti_shape *shape, tti_window_ranks ranks, size_t at,
                                       size_t offset)
{
    const int last = ranks.list != NULL ? ranks.list[ranks.last] : ranks.last;
    if (shape->in_place && shape->rank != last) return tti_place_at(TTI_WINDOW, offset);
    return tti_place_plus(tti_shape_own(shape), at);
}

/* A call of an algorithm, for its parts. */
typedef struct tti_window_call tti_window_call;
typedef void tti_window_fn(const tti_window_call *call, int k);
struct tti_window_call {
    const tti_shape *shape;
    tti_builder *builder;
    tti_blocks blocks;
    int posts;            /* that each rank has made before it */
    tti_window_fn *await; /* for the posts of those whose block k is read, and of those who have to have read
                             block k - 1 before block k + 1 goes into its place; NULL: for everybody's */
    tti_window_fn *meanwhile; /* what nobody waits for, while blocks k are on their way; or NULL */
};

/* Each rank shows block after block, for which two regions take turns, and takes what it needs of
 * everybody's: `fill` puts this rank's block k into its WINDOW, `take` reads the others'. A post says that a
 * block is there, and that all before it have been read. */
void tti_window_exchange(const tti_window_call *call, tti_window_fn *fill, tti_window_fn *take);

#endif
