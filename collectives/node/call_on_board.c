/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/node/call_on_board.h"

#include "collectives/select/select.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

static int open_board(const tti_call *call, tti_comm_cache *cache)
{
    cache->board_state = TTI_BOARD_OPENING;
    const int code = tti_board_open(call->comm, call->name, &cache->board);
    cache->board_state = code < 0 ? TTI_BOARD_UNTRIED : TTI_BOARD_TRIED;
    return cache->board == NULL ? code : tti_windows_get(call->comm, &cache->board->windows);
}

/* Whether it goes by its schedule on windows, as fast as on the board: that has been measured where ranks are
 * two, or share processors. The same at all ranks. */
static bool goes_straight(const tti_call *call, const tti_comm_cache *cache)
{
    const int size = call->comm->size;
    const bool measured = size == 2 || cache->crowded;
    tti_windows *windows;
    return measured && tti_windows_get(call->comm, &windows) == 0 && windows != NULL &&
           windows->size == size && !tti_calls_are_compared(size);
}

TTI_HOT static int execute(tti_board *board, const tti_call *call)
{
    board->call = call->name;
    return tti_collective_describe(call->collective)->on_board(board, call);
}

TTI_HOT static bool fits(const tti_call *call)
{
    const tti_contract *contract = tti_collective_describe(call->collective);
    if (contract->on_board == NULL || call->shape.element > TTI_BOARD_ELEMENT_MOST) return false;
    const tti_question question = {.size = call->shape.size,
                                   .bytes = tti_shape_bytes(&call->shape),
                                   .commutes = call->shape.commutes,
                                   .window = true};
    return !tti_select_ruled(call->collective, &question);
}

TTI_HOT bool tti_call_on_board(const tti_call *call, int *result)
{
    tti_comm_cache *cache = tti_comm_cache_get(call->comm);
    if (cache == NULL) {
        *result =
            tti_run_drop_out(call->comm, tti_fail(TUTTI_ERR_NO_MEMORY,
                                                  "%s: no memory for the communicator's plans", call->name));
        return true;
    }
    if (cache->board_state == TTI_BOARD_OPENING || goes_straight(call, cache) || !fits(call)) return false;
    if (cache->board_state == TTI_BOARD_UNTRIED) {
        *result = open_board(call, cache);
        if (*result < 0) return true;
    }
    if (cache->board == NULL) return false;
    *result = execute(cache->board, call);
    cache->board->exposes = false;
    return true;
}
