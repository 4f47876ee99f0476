/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that make different calls. Most find out from the marks of cells that they look at anyway. Who waits
 * for a cell or a count that never comes finds out here: every rank shows, in a line of its own lane, which
 * call it is in, and who has waited for a while looks. */
#include "collectives/execute/run.h"
#include "collectives/node/board.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"

#define ROOT_SHIFT 32

#define DIFFERENT "they call with different sizes, roots, types or operations"

TTI_HOT void tti_board_show_call(tti_board *board, const tti_call_record *call)
{
    tti_lane_call *mine = &tti_board_counts(board, board->rank)->call;
    board->record = *call;
    /* Who reads anything of the new call also reads that it is being written, or its number. */
    atomic_store_explicit(&mine->number, 0, memory_order_relaxed);
    atomic_store_explicit(&mine->mark, tti_board_mark(call), memory_order_release);
    atomic_store_explicit(&mine->type, call->type, memory_order_release);
    atomic_store_explicit(&mine->rest, (uint64_t)call->root << ROOT_SHIFT | call->op, memory_order_release);
    atomic_store_explicit(&mine->number, board->number, memory_order_release);
}

static uint8_t collective_of(uint64_t mark)
{
    return (uint8_t)((mark >> TTI_BOARD_KIND_BITS & TTI_BOARD_KINDS) - 1);
}

/* The number of the call that a rank shows, 0 if it shows none at the moment. */
static uint64_t read_call(const tti_board *board, int rank, tti_call_record *call)
{
    const tti_lane_call *theirs = &tti_board_counts(board, rank)->call;
    const uint64_t number = atomic_load_explicit(&theirs->number, memory_order_acquire);
    const uint64_t mark = atomic_load_explicit(&theirs->mark, memory_order_acquire);
    const uint64_t type = atomic_load_explicit(&theirs->type, memory_order_acquire);
    const uint64_t rest = atomic_load_explicit(&theirs->rest, memory_order_acquire);
    *call = (tti_call_record){.bytes = tti_board_mark_bytes(mark),
                              .type = type,
                              .root = (uint32_t)(rest >> ROOT_SHIFT),
                              .collective = collective_of(mark),
                              .op = (uint8_t)rest};
    return atomic_load_explicit(&theirs->number, memory_order_acquire) == number ? number : 0;
}

/* In these all ranks come to one meeting, whichever of them each one calls, and learn there that they differ.
 */
static bool meets(const tti_call_record *call)
{
    return call->collective != TTI_BCAST && call->collective != TTI_REDUCE;
}

/* Whether one who makes the call `theirs`, as the same operation, may never raise what this rank waits for.
 */
static bool stays_away(const tti_call_record *mine, const tti_call_record *theirs)
{
    if (meets(mine) && meets(theirs)) return false;
    return mine->collective != theirs->collective ||
           (mine->collective == TTI_BCAST && mine->root != theirs->root);
}

/* Whether it has finalized without beginning this operation. The other order would take one that did its part
 * and then left for absent. */
static bool has_left(const tti_board *board, int rank)
{
    tti_call_record theirs;
    return tti_node_has_left(board->node, board->peers[rank]) &&
           read_call(board, rank, &theirs) < board->number;
}

/* Whether it is in an operation on windows which this rank has not come to: it may have done its part here
 * before, but then this rank waits for nothing of it any more. */
static bool is_on_windows(const tti_board *board, int rank, uint64_t *mark)
{
    bool entered = false;
    for (int kind = 0; kind < TTI_NODE_WINDOW_KINDS && !entered && board->windows != NULL; kind++) {
        tti_windows_use use;
        tti_windows_next(board->windows, (enum tti_node_window_kind)kind, &use);
        tti_windows_has_posted(board->windows, &use, rank, 0, &entered, mark);
    }
    return entered;
}

static bool is_absent(const tti_board *board, int rank)
{
    uint64_t mark;
    tti_call_record theirs;
    if (is_on_windows(board, rank, &mark)) return true;
    const uint64_t number = read_call(board, rank, &theirs);
    if (number == board->number) return stays_away(&board->record, &theirs);
    return number > board->number || has_left(board, rank);
}

int tti_board_absent(const tti_board *board)
{
    if (board->awaited >= 0) return is_absent(board, board->awaited) ? board->awaited : -1;
    for (int r = 0; r < board->size; r++)
        if (r != board->rank && is_absent(board, r)) return r;
    return -1;
}

/* Whether a rank has yet to begin this operation. */
static bool is_behind(const tti_board *board, int rank)
{
    tti_call_record theirs;
    return rank != board->rank && read_call(board, rank, &theirs) < board->number;
}

void tti_board_missing(const void *argument, tti_awaited *awaited)
{
    const tti_board *board = *(const tti_board *const *)argument;
    awaited->comm = board->comm;
    awaited->number = board->number | TTI_AWAITED_KNOWN;
    for (int r = 0; r < board->size; r++)
        if (board->awaited >= 0 ? r == board->awaited : is_behind(board, r))
            tti_awaited_add(awaited, tti_comm_world(board->comm, r));
}

static int explain_left(const tti_board *board, int rank)
{
    return tti_fail(TUTTI_ERR_STATE,
                    "%s: rank %d of the communicator has called tutti_finalize() without taking part",
                    board->call, rank);
}

static int explain_absent(const tti_board *board, int rank)
{
    char mine[TTI_CALL_TEXT], theirs[TTI_CALL_TEXT];
    tti_call_record call;
    uint64_t mark;
    const bool there = is_on_windows(board, rank, &mark);
    const bool here = read_call(board, rank, &call) == board->number || there;
    if (there) call = tti_run_told(board->windows, rank, mark);
    return tti_fail(
        TUTTI_ERR_ARG,
        "%s: the ranks make different calls: rank %d is in %s, rank %d %s%s; no collective is possible "
        "any more on this communicator",
        board->call, board->rank, tti_call_text(&board->record, mine), rank,
        here ? "in " : "went on without it to ", tti_call_text(&call, theirs));
}

int tti_board_give_up_on(tti_board *board, int rank)
{
    const int code = has_left(board, rank) ? explain_left(board, rank) : explain_absent(board, rank);
    return board->comm != NULL ? tti_run_drop_out(board->comm, code) : code;
}

/* Whether a call of that mark uses up the same cells as this rank's, so that the board can be used on. */
static bool keeps_step(const tti_board *board, uint64_t mark)
{
    const tti_call_record theirs = {.collective = collective_of(mark)};
    return meets(&board->record) ? meets(&theirs) : theirs.collective == board->record.collective;
}

int tti_board_disagree(tti_board *board, int rank, uint64_t theirs)
{
    char mine[TTI_CALL_TEXT], other[TTI_CALL_TEXT];
    tti_call_record call;
    if (theirs != 0 && !keeps_step(board, theirs)) return tti_board_give_up_on(board, rank);
    tti_call_text(&board->record, mine);
    if (theirs == 0)
        return tti_fail(TUTTI_ERR_ARG,
                        "%s: some ranks did not make the call that rank %d made, %s: " DIFFERENT, board->call,
                        board->rank, mine);
    if (read_call(board, rank, &call) == board->number)
        return tti_fail(TUTTI_ERR_ARG, "%s: rank %d made %s, rank %d %s: " DIFFERENT, board->call,
                        board->rank, mine, rank, tti_call_text(&call, other));
    return tti_fail(TUTTI_ERR_ARG, "%s: rank %d came with %zu bytes where rank %d made %s: " DIFFERENT,
                    board->call, rank, tti_board_mark_bytes(theirs), board->rank, mine);
}
