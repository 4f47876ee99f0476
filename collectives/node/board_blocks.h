/* SPDX-License-Identifier: BSD-3-Clause */
/* A large buffer as blocks that pass through the lanes' buffers. */
#ifndef TTI_COLLECTIVES_BOARD_BLOCKS_H
#define TTI_COLLECTIVES_BOARD_BLOCKS_H

#include "collectives/node/board.h"

typedef struct {
    size_t bytes; /* of all */
    size_t block; /* of each but the last, a multiple of the element */
    size_t count;
} tti_blocks;

/* The same at every rank for the same call. Several where it is worth it: while one is on its way the next is
 * made ready. */
tti_blocks tti_blocks_of(const tti_board *board, size_t bytes, size_t element);

static inline size_t tti_block_at(const tti_blocks *blocks, size_t k)
{
    return k * blocks->block;
}
static inline size_t tti_block_bytes(const tti_blocks *blocks, size_t k)
{
    const size_t left = blocks->bytes - tti_block_at(blocks, k);
    return left < blocks->block ? left : blocks->block;
}

/* The elements of a block that a rank reduces. */
typedef struct {
    size_t at, bytes; /* in the block */
} tti_part;
/* Of `count` elements. */
tti_part tti_part_of(const tti_board *board, size_t count, size_t element, int rank);
tti_part tti_block_part(const tti_board *board, const tti_blocks *blocks, size_t k, size_t element, int rank);

/* Waits until the own buffer may take block `number`. */
int tti_blocks_await_free(tti_board *board, uint64_t number);

/* Copies block k of what is at `from` into the own buffer, once that may take it; tells nobody. */
int tti_blocks_fill(tti_board *board, const tti_blocks *blocks, size_t k, const unsigned char *from);
/* Ends a call at this rank: its counts come to where everybody's will be. */
void tti_blocks_end(tti_board *board, const tti_blocks *blocks);

#endif
