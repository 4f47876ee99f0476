/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/tiers.h"
#include "runtime/base/hot.h"

/* With a processor for each rank everybody raises a flag and looks at all others': a line's passage from core
 * to core is all it takes; where ranks are many and near in groups, the line passes by tiers. With fewer
 * processors, ranks come one after the other anyway, and the last one to arrive
 * frees all by one store: each rank needs its core once. */
TTI_HOT int tti_node_barrier(tti_board *board)
{
    const tti_call_record call = {.collective = TTI_BARRIER};
    const uint64_t mark = tti_board_mark(&call);
    int code = tti_board_begin(board, &call);
    if (code < 0) return code;
    if (board->shape.crowded) {
        code = tti_board_meet(board, mark, NULL, NULL);
    } else if (board->tiers.groups > 0) {
        code = tti_tiers_meet(board, mark, NULL);
    } else {
        tti_board_post(board, mark);
        code = tti_board_await_all(board, mark);
    }
    tti_board_synced(board);
    return code;
}
