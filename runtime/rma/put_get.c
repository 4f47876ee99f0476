/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_put() and tutti_get(). What is over when the call returns gives a NULL request: complete already. */
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/node/single_copy.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/put_get.h"
#include "runtime/rma/rma_doubt.h"
#include "runtime/rma/rma_transfer.h"
#include "runtime/rma/window_reach.h"

/* A write over the fabric up to this is copied, so that the call need not wait for the network. */
#define BOUNCE_MOST 8192

/* Through the kernel; false (and another way from then on) if it refuses. */
static bool copied(tutti_window *window, int target, size_t offset, const void *from, void *to, size_t bytes,
                   int *code)
{
    const int index = tti_ways_node_index(tti_comm_job_rank(window->comm, target));
    const uint64_t remote = tti_rma_part_of(window, target)->address + offset;
    *code = to != NULL ? tti_node_read(tti_ways_node(), index, remote, to, bytes)
                       : tti_node_write(tti_ways_node(), index, remote, from, bytes);
    if (*code != TUTTI_ERR_UNSUPPORTED) return true;
    window->states[target].way = TTI_RMA_MESSAGES;
    return false;
}

/* Whether the operation was over at once; *code is its result. */
static bool at_once(tutti_window *window, int target, size_t offset, const void *from, void *to, size_t bytes,
                    int *code)
{
    *code = 0;
    if (target == TUTTI_PROC_NULL || bytes == 0) return true;
    enum tti_rma_way way = tti_rma_way_to(window, target);
    if (way == TTI_RMA_COPY || way == TTI_RMA_DIRECT) tti_let_in(TTI_LET_IN_BY_DATA);
    way = tti_rma_way_to(window, target); /* the part may have ended */
    if (way == TTI_RMA_COPY) return copied(window, target, offset, from, to, bytes, code);
    if (way != TTI_RMA_DIRECT) return false;
    char *there = window->states[target].direct + offset;
    memmove(to != NULL ? to : there, to != NULL ? there : from, bytes);
    return true;
}

static void start_fabric(tti_rma_op *op, const char *call)
{
    tti_rma_start_fabric(op, call);
    if (!op->over) tti_rma_doubt(op);
}

static int finish_call(tti_rma_op *op, const char *call, tutti_request **request)
{
    if (request != NULL) {
        *request = &op->request;
        return 0;
    }
    return op->what == TTI_RMA_GET ? tti_rma_op_await(op, call) : tti_rma_op_await_sent(op, call);
}

static int put_slowly(tutti_window *window, const void *local, size_t bytes, int target, size_t offset,
                      bool ordered, tutti_request **request)
{
    const char *const call = "tutti_put";
    const bool fabric = tti_rma_way_to(window, target) == TTI_RMA_FABRIC;
    const bool bounce = fabric && request == NULL && !ordered && bytes <= BOUNCE_MOST;
    tti_rma_op *op = tti_rma_op_make(call, window, target, TTI_RMA_PUT,
                                     request != NULL ? TTI_RMA_REQUEST : TTI_RMA_CALL, bounce ? bytes : 0);
    if (op == NULL) return TUTTI_ERR_NO_MEMORY;
    op->from = bounce ? memcpy(op->bounce, local, bytes) : local;
    op->bytes = bytes;
    op->offset = offset;
    if (!fabric) {
        tti_rma_start_messages(op);
        return finish_call(op, call, request);
    }
    start_fabric(op, call);
    /* Without a copy the buffer is the fabric's until the write is done. */
    return request == NULL && !bounce ? tti_rma_op_await(op, call) : finish_call(op, call, request);
}

int tutti_put(tutti_window *window, const void *local, size_t bytes, int target, size_t offset,
              tutti_request **request)
{
    int code = tti_rma_check("tutti_put", window, target, offset, bytes, local);
    if (code < 0) return tti_answer(code);
    tti_lock();
    if (!at_once(window, target, offset, local, NULL, bytes, &code))
        code = put_slowly(window, local, bytes, target, offset, false, request);
    else if (request != NULL)
        *request = NULL;
    tti_unlock();
    return tti_answer(code);
}

int tti_rma_put_ordered(tutti_window *window, const void *local, size_t bytes, int target, size_t offset)
{
    int code;
    if (at_once(window, target, offset, local, NULL, bytes, &code)) return code;
    return put_slowly(window, local, bytes, target, offset, true, NULL);
}

static int get_slowly(tutti_window *window, void *local, size_t bytes, int target, size_t offset,
                      tutti_request **request)
{
    const char *const call = "tutti_get";
    tti_rma_op *op = tti_rma_op_make(call, window, target, TTI_RMA_GET,
                                     request != NULL ? TTI_RMA_REQUEST : TTI_RMA_CALL, 0);
    if (op == NULL) return TUTTI_ERR_NO_MEMORY;
    op->to = local;
    op->bytes = bytes;
    op->offset = offset;
    if (tti_rma_way_to(window, target) == TTI_RMA_FABRIC)
        start_fabric(op, call);
    else
        tti_rma_start_messages(op);
    return finish_call(op, call, request);
}

int tutti_get(tutti_window *window, void *local, size_t bytes, int target, size_t offset,
              tutti_request **request)
{
    int code = tti_rma_check("tutti_get", window, target, offset, bytes, local);
    if (code < 0) return tti_answer(code);
    tti_lock();
    if (!at_once(window, target, offset, NULL, local, bytes, &code))
        code = get_slowly(window, local, bytes, target, offset, request);
    else if (request != NULL)
        *request = NULL;
    tti_unlock();
    return tti_answer(code);
}
