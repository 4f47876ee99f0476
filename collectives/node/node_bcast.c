/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/single.h"
#include "collectives/node/tiers.h"
#include "runtime/base/copy.h"

/* The root copies a block in while the others copy the one before out. */
static int send_blocks(tti_board *board, const unsigned char *buf, size_t bytes, uint64_t mark)
{
    const tti_blocks blocks = tti_blocks_of(board, bytes, 1);
    for (size_t k = 0; k < blocks.count; k++) {
        const int code = tti_blocks_fill(board, &blocks, k, buf);
        if (code < 0) return code;
        if (k == 0) tti_board_post(board, mark);
        tti_board_fill_to(board, board->blocks + k + 1);
    }
    tti_blocks_end(board, &blocks);
    return 0;
}

static int receive_blocks(tti_board *board, unsigned char *buf, size_t bytes, int root)
{
    const tti_blocks blocks = tti_blocks_of(board, bytes, 1);
    for (size_t k = 0; k < blocks.count; k++) {
        const uint64_t number = board->blocks + k;
        const int code = tti_board_await_filled(board, root, number + 1);
        if (code < 0) return code;
        tti_copy_long(buf + tti_block_at(&blocks, k), tti_board_buffer(board, root, number),
                      tti_block_bytes(&blocks, k));
        tti_board_done_to(board, number + 1);
    }
    tti_blocks_end(board, &blocks);
    return 0;
}

static int receive(tti_board *board, unsigned char *buf, size_t bytes, int root)
{
    if (tti_offer_late(board, root)) return tti_direct_bcast(board, buf, bytes, root);
    if (tti_single_fits(board, TTI_CROSSING_BCAST, bytes)) return tti_single_bcast(board, buf, bytes, root);
    return receive_blocks(board, buf, bytes, root);
}

/* Takes part without taking anything: the root's call was another one. */
static void pass_blocks(tti_board *board, int root, size_t bytes)
{
    if (bytes <= board->small) return;
    const bool passes = !tti_offer_late(board, root) && !tti_single_fits(board, TTI_CROSSING_BCAST, bytes);
    const tti_blocks blocks = passes ? tti_blocks_of(board, bytes, 1) : tti_direct_block;
    tti_blocks_end(board, &blocks);
}

static int send_large(tti_board *board, unsigned char *buf, size_t bytes, uint64_t mark)
{
    const bool offers = tti_offer_make(board, buf, bytes, NULL, 0),
               single = tti_single_fits(board, TTI_CROSSING_BCAST, bytes);
    if (!offers && !single) return send_blocks(board, buf, bytes, mark);
    tti_board_post(board, mark);
    return offers ? tti_direct_end(board) : tti_single_bcast(board, buf, bytes, board->rank);
}

static int send(tti_board *board, unsigned char *buf, size_t bytes, uint64_t mark)
{
    if (bytes > board->small) return send_large(board, buf, bytes, mark);
    tti_board_bring(board, buf, bytes);
    tti_board_post(board, mark);
    tti_board_prepare(board, false, bytes);
    return 0;
}

int tti_node_bcast(tti_board *board, unsigned char *buf, size_t bytes, int root)
{
    const tti_call_record call = {.bytes = bytes, .root = (uint32_t)root, .collective = TTI_BCAST};
    const uint64_t mark = tti_board_mark(&call);
    int code = tti_board_begin(board, &call);
    if (code < 0) return code;
    if (root == board->rank) return send(board, buf, bytes, mark);
    /* The root may put something into the buffer, or look whether it may. */
    const bool large = bytes > board->small;
    if (large) {
        tti_offer_make(board, buf, bytes, NULL, 0);
        tti_board_post(board, mark);
    }
    const tti_cell *cell = large ? tti_board_cell(board, root) : tti_tiers_source(board, root);
    code = tti_board_await_cell(board, cell);
    if (code < 0) return code;
    tti_tiers_forward(board, root);
    if (cell->mark != mark) {
        if (!large) tti_board_post(board, mark);
        pass_blocks(board, root, tti_board_mark_bytes(cell->mark));
        return tti_board_disagree(board, root, cell->mark);
    }
    if (large) return receive(board, buf, bytes, root);
    tti_copy_short(buf, cell->data, bytes);
    return 0;
}
