/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_put_signal() and tutti_signal_wait(). The signal is an atomic add after the data: at once where the
 * target is mapped, else done by the target when the message comes, which follows the data. */
#include <inttypes.h>
#include <stdatomic.h>

#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/atomic_cell.h"
#include "runtime/rma/atomic_ops.h"
#include "runtime/rma/put_get.h"
#include "runtime/rma/rma_transfer.h"
#include "runtime/rma/window_reach.h"

static int check_signal(const char *call, const tutti_window *window, int target, size_t signal_offset)
{
    const int code = tti_rma_check(call, window, target, signal_offset, sizeof(uint64_t), window);
    if (code < 0 || target == TUTTI_PROC_NULL) return code;
    if ((tti_rma_part_of(window, target)->address + signal_offset) % sizeof(uint64_t) == 0) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: the signal at offset %zu of rank %d is not aligned to 8 bytes", call,
                    signal_offset, target);
}

static int signal_by_message(tutti_window *window, const void *local, size_t bytes, int target, size_t offset,
                             size_t signal_offset, uint64_t add)
{
    const char *const call = "tutti_put_signal";
    tti_rma_op *op = tti_rma_op_make(call, window, target, TTI_RMA_SIGNAL, TTI_RMA_CALL, 0);
    if (op == NULL) return TUTTI_ERR_NO_MEMORY;
    op->from = local;
    op->bytes = bytes;
    op->offset = offset;
    op->signal_offset = signal_offset;
    op->add = add;
    tti_rma_start_messages(op);
    return tti_rma_op_await_sent(op, call);
}

static int put_signal(tutti_window *window, const void *local, size_t bytes, int target, size_t offset,
                      size_t signal_offset, uint64_t add)
{
    const bool direct = tti_rma_way_to(window, target) == TTI_RMA_DIRECT;
    if (!direct && bytes <= TTI_RMA_CHUNK)
        return signal_by_message(window, local, bytes, target, offset, signal_offset, add);
    /* Complete at the target, or before the signal in the same order of messages. */
    const int code = tti_rma_put_ordered(window, local, bytes, target, offset);
    if (code < 0) return code;
    if (bytes == 0) tti_progress_sometimes(TTI_SOMETIMES_BY_DATA); /* else it has been done with the data */
    if (tti_rma_way_to(window, target) != TTI_RMA_DIRECT)          /* or the part has ended meanwhile */
        return signal_by_message(window, NULL, 0, target, 0, signal_offset, add);
    tti_rma_cell_combine(window->states[target].direct + signal_offset, &add, NULL, sizeof add, TUTTI_UINT64,
                         TUTTI_SUM);
    tti_rma_tell(window, target);
    return 0;
}

int tutti_put_signal(tutti_window *window, const void *local, size_t bytes, int target, size_t offset,
                     size_t signal_offset, uint64_t add)
{
    int code = tti_rma_check("tutti_put_signal", window, target, offset, bytes, local);
    if (code == 0) code = check_signal("tutti_put_signal", window, target, signal_offset);
    if (code < 0 || target == TUTTI_PROC_NULL) return tti_answer(code);
    tti_lock();
    code = put_signal(window, local, bytes, target, offset, signal_offset, add);
    tti_unlock();
    return tti_answer(code);
}

typedef struct {
    const _Atomic uint64_t *signal;
    uint64_t at_least;
    const tutti_comm *comm;
} awaited;

/* Another thread of this process may signal itself, without Tutti as well. */
static bool is_left_alone(const tutti_comm *comm)
{
    return tti_thread_is_single && tti_lost_is_left_alone(comm);
}

/* The signal may come from any rank of the window: with one of them lost, it might never. */
static bool is_signalled(const void *argument)
{
    const awaited *a = argument;
    return atomic_load(a->signal) >= a->at_least || tti_lost_check_alive(a->comm) < 0 ||
           is_left_alone(a->comm);
}

static int fail_unsignalled(const char *call, const awaited *a, size_t offset, uint64_t value)
{
    char names[TTI_LOST_NAMES];
    if (a->comm->revoked) return tti_comm_check_revoked(a->comm);
    if (tti_lost_check_alive(a->comm) == 0)
        return tti_fail(TUTTI_ERR_STATE,
                        "%s: all other ranks of the window, rank %d among them, have called tutti_finalize() "
                        "while the signal at offset %zu is %" PRIu64 ", awaited is %" PRIu64,
                        call, tti_lost_departed_member(a->comm), offset, value, a->at_least);
    tti_lost_name_failed(a->comm, names);
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "%s: %s died, left after a death or cannot be reached while the signal at offset %zu is "
                    "%" PRIu64 ", awaited is %" PRIu64,
                    call, names, offset, value, a->at_least);
}

int tutti_signal_wait(tutti_window *window, size_t signal_offset, uint64_t at_least, uint64_t *seen)
{
    const char *const call = "tutti_signal_wait";
    int code = tti_check_open(call);
    if (code < 0) return tti_answer(code);
    if (window == NULL) return tti_answer(tti_fail(TUTTI_ERR_ARG, "%s: window is NULL", call));
    code = check_signal(call, window, window->comm->rank, signal_offset);
    if (code < 0) return tti_answer(code);
    const awaited a = {(const _Atomic uint64_t *)(const void *)(window->base + signal_offset), at_least,
                       window->comm};
    tti_lock();
    tti_wait_until(is_signalled, &a, call, TUTTI_ANY_SOURCE);
    const uint64_t value = atomic_load(a.signal);
    if (value < at_least)
        code = fail_unsignalled(call, &a, signal_offset, value);
    else if (seen != NULL)
        *seen = value;
    tti_unlock();
    return tti_answer(code);
}
