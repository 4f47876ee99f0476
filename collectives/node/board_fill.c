/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's writing into its own lane, for others to read. */
#include "collectives/node/board_blocks.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/prefetch.h"

/* More bytes than that are not asked for ahead. */
#define PREPARE_MOST 6400

/* The first line last, as the others look at it all the time: taken away between two stores, it must be
 * fetched back for the second. */
TTI_HOT void tti_board_bring(const tti_board *board, const void *from, size_t bytes)
{
    const size_t head = TTI_BOARD_LINE - offsetof(tti_cell, data);
    tti_cell *cell = tti_board_cell(board, board->rank);
    if (bytes > head) {
        tti_copy_long(cell->data + head, (const char *)from + head, bytes - head);
        atomic_signal_fence(memory_order_seq_cst);
        bytes = head;
    }
    tti_copy_short(cell->data, from, bytes);
}

/* The other ranks have that cell's lines in their caches since they last read it. To ask for them while
 * waiting anyway spares the next operation a passage between cores. */
TTI_HOT void tti_board_prepare(const tti_board *board, bool synced, size_t bytes)
{
    const size_t phase = (board->phase + synced) % TTI_BOARD_PHASES, index = synced ? 0 : board->used;
    char *cell = tti_board_lane_cell(board, board->rank, phase * board->shape.cells + index);
    if (index == board->shape.cells || board->shape.crowded) return;
    for (size_t at = 0; at < sizeof(tti_cell) + bytes && at < PREPARE_MOST; at += TTI_BOARD_LINE)
        tti_prefetch_write(cell + at);
}

int tti_blocks_fill(tti_board *board, const tti_blocks *blocks, size_t k, const unsigned char *from)
{
    const uint64_t number = board->blocks + k;
    const size_t bytes = tti_block_bytes(blocks, k);
    const int code = tti_blocks_await_free(board, number);
    if (code < 0) return code;
    tti_copy_long(tti_board_buffer(board, board->rank, number), from + tti_block_at(blocks, k), bytes);
    return 0;
}
