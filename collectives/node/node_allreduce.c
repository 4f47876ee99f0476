/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "collectives/node/combine.h"
#include "collectives/node/direct.h"
#include "collectives/node/offer.h"
#include "collectives/node/shares.h"
#include "collectives/node/single.h"
#include "collectives/node/tiers.h"
#include "runtime/base/hot.h"

/* Working on memory that all can map pays from some size on, if it is known before: ranks tell each other
 * while they still exchange contributions by cells. */
TTI_HOT static bool hints(const tti_board *board, size_t bytes)
{
    return bytes > 0 && bytes >= board->ways.direct && bytes < board->shape.cell_bytes &&
           board->tiers.groups == 0;
}

TTI_HOT static void combine_last(tti_board *board, void *context)
{
    tti_board_combine_cells(board, context, tti_board_result(board)->data);
}

/* Everybody's contribution fits into a cell. With a processor for each rank everybody combines all, or all
 * go by tiers; else the last one to arrive does it for all. */
TTI_HOT static int allreduce_small(tti_board *board, const tti_reduction *r, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    int code;
    tti_board_bring(board, tti_reduction_own(r), bytes);
    if (hints(board, bytes)) tti_offer_hint(board, tti_reduction_own(r), r->output, bytes);
    if (board->shape.crowded) {
        code = tti_board_meet(board, mark, combine_last, (void *)(uintptr_t)r);
        if (code == 0 && bytes > 0) memcpy(r->output, tti_board_result(board)->data, bytes);
    } else if (tti_tiers_fit(board, r->op)) {
        code = tti_tiers_meet(board, mark, r);
        if (code == 0 && bytes > 0) memcpy(r->output, tti_tiers_result(board)->data, bytes);
    } else {
        tti_board_post(board, mark);
        tti_board_prepare(board, true, bytes);
        code = tti_board_await_all(board, mark);
        if (code == 0 && bytes > 0) tti_board_combine_cells(board, r, r->output);
    }
    if (code == 0 && hints(board, bytes)) board->mappable = tti_offers_hinted(board, bytes);
    return code;
}

/* Every rank reduces its part of each block and shows the result to all: reduce-scatter and allgather. The
 * next block is filled in before waiting for this one. */
static int allreduce_blocks(tti_board *board, const tti_shares *s)
{
    int code = 0;
    for (size_t k = 0; k < s->blocks->count && code == 0; k++) {
        if (k + 1 < s->blocks->count) code = tti_shares_fill(board, s, k + 1);
        if (code == 0) code = tti_shares_reduce(board, s, k, s->r->output + tti_block_at(s->blocks, k));
        if (code == 0) code = tti_shares_collect(board, s, k);
    }
    tti_blocks_end(board, s->blocks);
    return code;
}

/* Coming to the meeting says that the first block is filled, so that ranks that disagree have counted nothing
 * yet; one that offers its buffers fills it only if others do not. */
static int allreduce_large(tti_board *board, const tti_reduction *r, uint64_t mark)
{
    const size_t bytes = r->count * r->element;
    const tti_blocks blocks = tti_blocks_of(board, bytes, r->element);
    const tti_shares shares = {r, &blocks};
    const bool offers = tti_offer_make(board, tti_reduction_own(r), bytes, r->output, bytes);
    const bool single = tti_single_fits(board, TTI_CROSSING_ALLREDUCE, bytes);
    int code = offers || single ? 0 : tti_shares_fill(board, &shares, 0);
    if (code == 0) code = tti_board_gather(board, mark);
    if (code < 0) return code;
    board->mappable = tti_offers_all(board);
    if (board->mappable) return tti_direct_reduce(board, r, -1);
    if (single) return tti_single_allreduce(board, r);
    if (offers) code = tti_shares_fill_late(board, &shares);
    return code < 0 ? code : allreduce_blocks(board, &shares);
}

TTI_HOT int tti_node_allreduce(tti_board *board, const tti_reduction *r)
{
    const size_t bytes = r->count * r->element;
    const tti_call_record call = tti_reduction_record(r, TTI_ALLREDUCE, 0);
    const uint64_t mark = tti_board_mark(&call) | tti_tiers_mark(board, r->op);
    int code = tti_board_begin(board, &call);
    if (code < 0) return code;
    const bool large = bytes > board->small || (board->mappable && hints(board, bytes));
    code = large ? allreduce_large(board, r, mark) : allreduce_small(board, r, mark);
    tti_board_synced(board);
    return code;
}
