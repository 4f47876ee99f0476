/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/board_blocks.h"

/* A shorter block is not worth the passing of a flag. */
#define LEAST_BLOCK 16384
#define PIPELINE 4

tti_blocks tti_blocks_of(const tti_board *board, size_t bytes, size_t element)
{
    const size_t most = board->shape.block;
    size_t block = board->shape.crowded ? most : bytes / PIPELINE;
    if (block < LEAST_BLOCK) block = LEAST_BLOCK;
    if (block > most) block = most;
    block = block / element * element;
    return (tti_blocks){.bytes = bytes, .block = block, .count = (bytes + block - 1) / block};
}

tti_part tti_part_of(const tti_board *board, size_t count, size_t element, int rank)
{
    const size_t ranks = (size_t)board->size;
    const size_t first = count * (size_t)rank / ranks, next = count * ((size_t)rank + 1) / ranks;
    return (tti_part){first * element, (next - first) * element};
}

tti_part tti_block_part(const tti_board *board, const tti_blocks *blocks, size_t k, size_t element, int rank)
{
    return tti_part_of(board, tti_block_bytes(blocks, k) / element, element, rank);
}

int tti_blocks_await_free(tti_board *board, uint64_t number)
{
    return number < 2 ? 0 : tti_board_await_all_done(board, number - 1);
}

void tti_blocks_end(tti_board *board, const tti_blocks *blocks)
{
    board->blocks += blocks->count;
    tti_board_fill_to(board, board->blocks);
    tti_board_done_to(board, board->blocks);
}
