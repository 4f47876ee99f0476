/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_accumulate(), tutti_fetch_op(), tutti_compare_swap(). Always on a processor of the target's node: by
 * the caller where it maps the element and the element is native (rma/atomic_cell.h), else by the target
 * itself. A network card's atomics would not be atomic with those. */
#include <string.h>

#include "runtime/base/element.h"
#include "runtime/base/status.h"
#include "runtime/node/bell.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"
#include "runtime/rma/atomic_cell.h"
#include "runtime/rma/atomic_ops.h"
#include "runtime/rma/rma_transfer.h"
#include "runtime/rma/window_reach.h"

static int check_element(const char *call, tutti_type type, const tutti_op *op, size_t offset)
{
    const size_t bytes = tti_element_bytes(type);
    const bool moves = op == TUTTI_REPLACE || op == TUTTI_NO_OP;
    const int code = moves && bytes > 0 ? 0 : tti_element_check(call, type, op);
    if (code < 0) return code;
    if (bytes > TTI_RMA_ELEMENT_MAX)
        return tti_fail(TUTTI_ERR_TYPE, "%s: elements of %zu bytes are over %d", call, bytes,
                        TTI_RMA_ELEMENT_MAX);
    if (offset % tti_rma_alignment_of(type) != 0)
        return tti_fail(TUTTI_ERR_ARG, "%s: offset %zu is not aligned to %s elements, %zu bytes", call,
                        offset, tti_element_type_name(type), tti_rma_alignment_of(type));
    return 0;
}

/* Where the caller itself combines the elements, or NULL. */
static char *find_here(tutti_window *window, int target, size_t offset, size_t element)
{
    if (tti_rma_way_to(window, target) != TTI_RMA_DIRECT) return NULL;
    tti_progress_sometimes(TTI_SOMETIMES_BY_DATA);
    if (tti_rma_way_to(window, target) != TTI_RMA_DIRECT) return NULL; /* the part has ended */
    const uint64_t address = tti_rma_part_of(window, target)->address + offset;
    const bool own = target == window->comm->rank;
    return own || tti_rma_is_native(element, address) ? window->states[target].direct + offset : NULL;
}

void tti_rma_tell(tutti_window *window, int target)
{
    if (target == window->comm->rank)
        tti_sleep_notify();
    else
        tti_node_poke(tti_ways_node(), tti_ways_node_index(tti_comm_job_rank(window->comm, target)));
}

/* What the target is to do to its elements from `offset` on. */
typedef struct {
    const void *from;
    void *to; /* for what they were before; NULL: that is not asked for */
    size_t bytes, offset;
    tutti_type type;
    const tutti_op *op;
} change;

static void start_change(tti_rma_op *made, const change *wanted)
{
    made->from = wanted->from;
    made->to = wanted->to;
    made->bytes = wanted->bytes;
    made->offset = wanted->offset;
    made->type = wanted->type;
    made->op = wanted->op;
    tti_rma_start_messages(made);
}

static int accumulate_slowly(tutti_window *window, int target, const change *wanted, tutti_request **request)
{
    const char *const call = "tutti_accumulate";
    tti_rma_op *made = tti_rma_op_make(call, window, target, TTI_RMA_COMBINE,
                                       request != NULL ? TTI_RMA_REQUEST : TTI_RMA_CALL, 0);
    if (made == NULL) return TUTTI_ERR_NO_MEMORY;
    start_change(made, wanted);
    if (request == NULL) return tti_rma_op_await_sent(made, call);
    *request = &made->request;
    return 0;
}

int tutti_accumulate(tutti_window *window, const void *local, size_t count, tutti_type type, tutti_op *op,
                     int target, size_t offset, tutti_request **request)
{
    const char *const call = "tutti_accumulate";
    size_t bytes = 0;
    int code = check_element(call, type, op, offset);
    if (code == 0 && __builtin_mul_overflow(count, tti_element_bytes(type), &bytes))
        code = tti_fail(TUTTI_ERR_ARG, "%s: %zu elements are too many", call, count);
    if (code == 0) code = tti_rma_check(call, window, target, offset, bytes, local);
    if (code < 0) return tti_answer(code);
    if (request != NULL) *request = NULL;
    if (target == TUTTI_PROC_NULL || count == 0 || op == TUTTI_NO_OP) return 0;
    tti_lock();
    char *here = find_here(window, target, offset, tti_element_bytes(type));
    if (here != NULL) {
        tti_rma_cells_combine(here, local, count, type, op);
        tti_rma_tell(window, target);
    } else {
        const change wanted = {local, NULL, bytes, offset, type, op};
        code = accumulate_slowly(window, target, &wanted, request);
    }
    tti_unlock();
    return tti_answer(code);
}

/* Has the target do it, and waits for the result. */
static int ask(const char *call, tutti_window *window, int target, enum tti_rma_what what,
               const change *wanted)
{
    tti_rma_op *made = tti_rma_op_make(call, window, target, what, TTI_RMA_CALL, 0);
    if (made == NULL) return TUTTI_ERR_NO_MEMORY;
    start_change(made, wanted);
    return tti_rma_op_await(made, call);
}

int tutti_fetch_op(tutti_window *window, const void *value, void *result, tutti_type type, tutti_op *op,
                   int target, size_t offset)
{
    const char *const call = "tutti_fetch_op";
    const size_t bytes = tti_element_bytes(type);
    int code = check_element(call, type, op, offset);
    if (code == 0) code = tti_rma_check(call, window, target, offset, bytes, result);
    if (code == 0 && value == NULL && op != TUTTI_NO_OP)
        code = tti_fail(TUTTI_ERR_ARG, "%s: value is NULL", call);
    if (code < 0 || target == TUTTI_PROC_NULL) return tti_answer(code);
    tti_lock();
    char *here = find_here(window, target, offset, bytes);
    if (here != NULL) {
        tti_rma_cell_combine(here, value, result, bytes, type, op);
        tti_rma_tell(window, target);
    } else {
        const change wanted = {value, result, bytes, offset, type, op};
        code = ask(call, window, target, TTI_RMA_FETCH, &wanted);
    }
    tti_unlock();
    return tti_answer(code);
}

int tutti_compare_swap(tutti_window *window, const void *compare, const void *desired, void *result,
                       tutti_type type, int target, size_t offset)
{
    const char *const call = "tutti_compare_swap";
    if (type < TUTTI_INT8 || type > TUTTI_UINT64)
        return tti_answer(tti_fail(TUTTI_ERR_TYPE, "%s: %s elements are no integers of up to 8 bytes", call,
                                   tti_element_type_name(type)));
    const size_t bytes = tti_element_bytes(type);
    int code = check_element(call, type, TUTTI_REPLACE, offset);
    if (code == 0) code = tti_rma_check(call, window, target, offset, bytes, result);
    if (code == 0 && (compare == NULL || desired == NULL))
        code = tti_fail(TUTTI_ERR_ARG, "%s: compare or desired is NULL", call);
    if (code < 0 || target == TUTTI_PROC_NULL) return tti_answer(code);
    char both[16];
    memcpy(both, compare, bytes);
    memcpy(both + bytes, desired, bytes);
    tti_lock();
    char *here = find_here(window, target, offset, bytes);
    if (here != NULL) {
        tti_rma_cell_swap(here, both, both + bytes, result, bytes);
        tti_rma_tell(window, target);
    } else {
        const change wanted = {both, result, bytes, offset, type, TUTTI_REPLACE};
        code = ask(call, window, target, TTI_RMA_SWAP, &wanted);
    }
    tti_unlock();
    return tti_answer(code);
}
