/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/board_blocks.h"
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/single.h"
#include "runtime/base/copy.h"

static int gather_small(tti_board *board, const unsigned char *own, unsigned char *out, size_t bytes,
                        uint64_t mark)
{
    tti_board_bring(board, own, bytes);
    const int code = tti_board_gather(board, mark);
    for (int r = 0; r < board->size && code == 0 && bytes > 0; r++)
        if (r != board->rank) tti_copy_long(out + (size_t)r * bytes, tti_board_cell(board, r)->data, bytes);
    return code;
}

static int fill_and_tell(tti_board *board, const unsigned char *own, const tti_blocks *blocks, size_t k)
{
    const int code = tti_blocks_fill(board, blocks, k, own);
    if (code == 0) tti_board_fill_to(board, board->blocks + k + 1);
    return code;
}

static int take(tti_board *board, unsigned char *out, const tti_blocks *blocks, size_t k)
{
    const uint64_t number = board->blocks + k;
    const size_t at = tti_block_at(blocks, k), bytes = tti_block_bytes(blocks, k);
    for (int i = 1; i < board->size; i++) {
        const int rank = (board->rank + i) % board->size;
        const bool known = k == 0 && !tti_offer_late(board, rank);
        const int code = known ? 0 : tti_board_await_filled(board, rank, number + 1);
        if (code < 0) return code;
        tti_copy_long(out + (size_t)rank * blocks->bytes + at, tti_board_buffer(board, rank, number), bytes);
    }
    tti_board_done_to(board, number + 1);
    return 0;
}

static int gather_blocks(tti_board *board, const unsigned char *own, unsigned char *out,
                         const tti_blocks *blocks)
{
    int code = 0;
    for (size_t k = 0; k < blocks->count && code == 0; k++) {
        if (k + 1 < blocks->count) code = fill_and_tell(board, own, blocks, k + 1);
        if (code == 0) code = take(board, out, blocks, k);
    }
    tti_blocks_end(board, blocks);
    return code;
}

/* Everybody's blocks through the buffers; coming to the meeting says that the first is filled, unless the
 * rank offers its buffer. */
static int gather_large(tti_board *board, const unsigned char *own, unsigned char *out, size_t bytes,
                        uint64_t mark)
{
    const tti_blocks blocks = tti_blocks_of(board, bytes, 1);
    const bool offers = tti_offer_make(board, own, bytes, NULL, 0);
    const bool single = tti_single_fits(board, TTI_CROSSING_ALLGATHER, bytes);
    int code = offers || single ? 0 : tti_blocks_fill(board, &blocks, 0, own);
    if (code == 0) code = tti_board_gather(board, mark);
    if (code < 0) return code;
    if (offers && tti_offers_all(board)) return tti_direct_allgather(board, out, bytes);
    if (single) return tti_single_allgather(board, out, bytes);
    if (offers) code = fill_and_tell(board, own, &blocks, 0);
    return code < 0 ? code : gather_blocks(board, own, out, &blocks);
}

int tti_node_allgather(tti_board *board, const unsigned char *in, unsigned char *out, size_t bytes)
{
    const tti_call_record call = {.bytes = bytes, .collective = TTI_ALLGATHER};
    const uint64_t mark = tti_board_mark(&call);
    unsigned char *place = out + (size_t)board->rank * bytes;
    int code = tti_board_begin(board, &call);
    if (code < 0) return code;
    const unsigned char *own = in != NULL ? in : place;
    code = bytes > board->small ? gather_large(board, own, out, bytes, mark)
                                : gather_small(board, own, out, bytes, mark);
    if (in != NULL && code == 0 && bytes > 0) tti_copy_long(place, in, bytes);
    tti_board_synced(board);
    return code;
}
