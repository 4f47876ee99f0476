/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's writing into its own lane, for others to read. */
#include "collectives/node/board_blocks.h"
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/past.h"
#include "runtime/base/prefetch.h"

/* More bytes than that are not asked for ahead. */
#define PREPARE_MOST 6400
/* The first times, and then every so manieth, it is looked how long a line takes from the other rank. */
#define LOOKS_FIRST 8
#define LOOKS_APART 64

/* Of two ranks that have a core each. The other shows each of its calls, which nobody else looks at. */
static bool goes_past(tti_board *board, size_t bytes)
{
    if (bytes <= board->near || board->size != 2 || board->shape.crowded) return false;
    const int other = 1 - board->rank, peer = board->peers[other];
    const uint32_t looks = board->looks++;
    if (looks < LOOKS_FIRST || looks % LOOKS_APART == 0)
        tti_node_time_passage(board->node, peer, &tti_board_counts(board, other)->call.number, &board->seen);
    return bytes >= tti_node_past_least(board->node, peer);
}

static void fill(void *to, const void *from, size_t bytes, bool past)
{
    if (past)
        tti_copy_past(to, from, bytes);
    else
        tti_copy_long(to, from, bytes);
}

/* The first line last, as the others look at it all the time: taken away between two stores, it must be
 * fetched back for the second. */
static void fill_cell(const tti_board *board, const void *from, size_t bytes, bool past)
{
    const size_t head = TTI_BOARD_LINE - offsetof(tti_cell, data);
    tti_cell *cell = tti_board_cell(board, board->rank);
    if (bytes > head) {
        fill(cell->data + head, (const char *)from + head, bytes - head, past);
        atomic_signal_fence(memory_order_seq_cst);
        bytes = head;
    }
    tti_copy_short(cell->data, from, bytes);
}

TTI_HOT void tti_board_bring(tti_board *board, const void *from, size_t bytes)
{
    board->past = false;
    fill_cell(board, from, bytes, false);
}

TTI_HOT void tti_board_hand(tti_board *board, const void *from, size_t bytes)
{
    board->past = goes_past(board, bytes);
    fill_cell(board, from, bytes, board->past);
}

/* The other ranks have that cell's lines in their caches since they last read it. To ask for them while
 * waiting anyway spares the next operation a passage between cores. */
TTI_HOT void tti_board_prepare(const tti_board *board, bool synced, size_t bytes)
{
    const size_t phase = (board->phase + synced) % TTI_BOARD_PHASES, index = synced ? 0 : board->used;
    char *cell = tti_board_lane_cell(board, board->rank, phase * board->shape.cells + index);
    if (index == board->shape.cells || board->shape.crowded || board->past) return;
    for (size_t at = 0; at < sizeof(tti_cell) + bytes && at < PREPARE_MOST; at += TTI_BOARD_LINE)
        tti_prefetch_write(cell + at);
}

int tti_blocks_fill(tti_board *board, const tti_blocks *blocks, size_t k, const unsigned char *from)
{
    const uint64_t number = board->blocks + k;
    const size_t bytes = tti_block_bytes(blocks, k);
    const int code = tti_blocks_await_free(board, number);
    if (code < 0) return code;
    fill(tti_board_buffer(board, board->rank, number), from + tti_block_at(blocks, k), bytes,
         goes_past(board, bytes));
    return 0;
}
