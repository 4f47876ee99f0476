/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "collectives/node/combine.h"
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/shares.h"
#include "collectives/node/single.h"
#include "collectives/node/tiers.h"

/* Of more ranks each reduces a part, which costs the root one more copy of the result. */
#define STREAM_RANKS 2

/* Only the root waits, and leaders for their groups. */
static int reduce_small(tti_board *board, const tti_reduction *r, int root, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    if (root == board->rank || tti_tiers_fit(board, r->op))
        tti_board_bring(board, tti_reduction_own(r), bytes);
    else
        tti_board_hand(board, tti_reduction_own(r), bytes);
    if (tti_tiers_fit(board, r->op)) return tti_tiers_reduce(board, mark, r, root);
    tti_board_post(board, mark);
    tti_board_prepare(board, false, bytes);
    if (root != board->rank) return 0;
    const int code = tti_board_await_all(board, mark);
    if (code == 0 && bytes > 0) tti_board_combine_cells(board, r, r->output);
    return code;
}

static int stream_in(tti_board *board, const tti_reduction *r, const tti_blocks *blocks)
{
    for (size_t k = 0; k < blocks->count; k++) {
        const int code = tti_blocks_fill(board, blocks, k, r->input);
        if (code < 0) return code;
        tti_board_fill_to(board, board->blocks + k + 1);
    }
    return 0;
}

typedef struct {
    const unsigned char *own;
    uint64_t number;
} block_place;

static const unsigned char *block_of(const tti_board *board, int rank, const void *context)
{
    const block_place *p = context;
    return rank == board->rank ? p->own : tti_board_buffer(board, rank, p->number);
}

static int reduce_stream(tti_board *board, const tti_reduction *r, const tti_blocks *blocks)
{
    for (size_t k = 0; k < blocks->count; k++) {
        const block_place p = {tti_reduction_own(r) + tti_block_at(blocks, k), board->blocks + k};
        const int code = tti_board_await_all_filled(board, p.number + 1);
        if (code < 0) return code;
        tti_board_combine(board, r, tti_block_bytes(blocks, k) / r->element, block_of, &p,
                          r->output + tti_block_at(blocks, k), NULL);
        tti_board_done_to(board, p.number + 1);
    }
    return 0;
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
    return code;
}

static int reduce_blocks(tti_board *board, const tti_reduction *r, const tti_blocks *blocks, bool is_root)
{
    int code;
    if (board->size > STREAM_RANKS)
        code = reduce_parts(board, r, blocks, is_root);
    else
        code = is_root ? reduce_stream(board, r, blocks) : stream_in(board, r, blocks);
    tti_blocks_end(board, blocks);
    return code;
}

/* As in allreduce: who does not offer its buffers has filled the first block when it posts. */
static int reduce_large(tti_board *board, const tti_reduction *r, int root, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    const tti_blocks blocks = tti_blocks_of(board, bytes, r->element);
    const tti_shares shares = {r, &blocks};
    const bool is_root = root == board->rank, parts = board->size > STREAM_RANKS;
    const bool offers = tti_offer_make(board, tti_reduction_own(r), bytes, r->output, is_root ? bytes : 0);
    const bool single = tti_single_fits(board, TTI_CROSSING_REDUCE, bytes);
    int code = parts && !offers && !single ? tti_shares_fill(board, &shares, 0) : 0;
    if (code < 0) return code;
    tti_board_post(board, mark);
    code = tti_board_await_all(board, mark);
    if (code < 0) return code;
    if (offers && tti_offers_all(board)) return tti_direct_reduce(board, r, root);
    if (single) return tti_single_reduce(board, r, root);
    if (parts && offers) code = tti_shares_fill_late(board, &shares);
    return code < 0 ? code : reduce_blocks(board, r, &blocks, is_root);
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
