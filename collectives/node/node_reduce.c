/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "collectives/node/combine.h"
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/shares.h"
#include "collectives/node/single.h"
#include "collectives/node/tiers.h"

/* Only the root waits, and leaders for their groups. */
static int reduce_small(tti_board *board, const tti_reduction *r, int root, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    tti_board_bring(board, tti_reduction_own(r), bytes);
    if (tti_tiers_fit(board, r->op)) return tti_tiers_reduce(board, mark, r, root);
    tti_board_post(board, mark);
    tti_board_prepare(board, false, bytes);
    if (root != board->rank) return 0;
    const int code = tti_board_await_all(board, mark);
    if (code == 0 && bytes > 0) tti_board_combine_cells(board, r, r->output);
    return code;
}

/* Every rank reduces its part of each block; the root collects. */
static int reduce_parts(tti_board *board, const tti_reduction *r, const tti_blocks *blocks, bool is_root)
{
    const tti_shares shares = {r, blocks};
    int code = 0;
    for (size_t k = 0; k < blocks->count && code == 0; k++) {
        if (k + 1 < blocks->count) code = tti_shares_fill(board, &shares, k + 1);
        unsigned char *to = is_root ? r->output + tti_block_at(blocks, k) : NULL;
        if (code == 0) code = tti_shares_reduce(board, &shares, k, to);
        if (code == 0 && is_root) code = tti_shares_collect(board, &shares, k);
    }
    tti_blocks_end(board, blocks);
    return code;
}

/* As in allreduce: who does not offer its buffers has filled the first block when it posts. */
static int reduce_large(tti_board *board, const tti_reduction *r, int root, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    const tti_blocks blocks = tti_blocks_of(board, bytes, r->element);
    const tti_shares shares = {r, &blocks};
    const bool is_root = root == board->rank;
    const bool offers = tti_offer_make(board, tti_reduction_own(r), bytes, r->output, is_root ? bytes : 0);
    const bool single = tti_single_fits(board, TTI_CROSSING_REDUCE, bytes);
    int code = !offers && !single ? tti_shares_fill(board, &shares, 0) : 0;
    if (code < 0) return code;
    tti_board_post(board, mark);
    code = tti_board_await_all(board, mark);
    if (code < 0) return code;
    if (offers && tti_offers_all(board)) return tti_direct_reduce(board, r, root);
    if (single) return tti_single_reduce(board, r, root);
    if (offers) code = tti_shares_fill_late(board, &shares);
    return code < 0 ? code : reduce_parts(board, r, &blocks, is_root);
}

int tti_node_reduce(tti_board *board, const tti_reduction *r, int root)
{
    const size_t bytes = r->count * r->element;
    const tti_call_record call = tti_reduction_record(r, TTI_REDUCE, root);
    const uint64_t mark = tti_board_mark(&call) | tti_tiers_mark(board, r->op);
    const int code = tti_board_begin(board, &call);
    if (code < 0) return code;
    return bytes > board->small ? reduce_large(board, r, root, mark) : reduce_small(board, r, root, mark);
}
