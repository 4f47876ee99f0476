/* SPDX-License-Identifier: BSD-3-Clause */
/* tutti_put() and tutti_get(). What is over when the call returns gives a NULL request: complete already. */
#include <string.h>

#include "runtime/base/copy.h"
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

/* What a call asks for: to put this, or to get it. */
typedef struct {
    tutti_window *window;
    int target;
    size_t offset, bytes;
    const void *from; /* of a put; else NULL */
    void *to;         /* of a get; else NULL */
} transfer;

/* Through the kernel; false (and another way from then on) if it refuses. */
static bool copied(const transfer *t, int *code)
{
    const int index = tti_ways_node_index(tti_comm_job_rank(t->window->comm, t->target));
    const uint64_t remote = tti_rma_part_of(t->window, t->target)->address + t->offset;
    *code = t->to != NULL ? tti_node_read(tti_ways_node(), index, remote, t->to, t->bytes)
                          : tti_node_write(tti_ways_node(), index, remote, t->from, t->bytes);
    if (*code != TUTTI_ERR_UNSUPPORTED) return true;
    t->window->states[t->target].way = TTI_RMA_MESSAGES;
    return false;
}

/* The rank's own part may be its program's buffer, too. */
static void move(char *to, const char *from, size_t bytes)
{
    if (to + bytes <= from || from + bytes <= to)
        tti_copy_short(to, from, bytes);
    else
        memmove(to, from, bytes);
}

/* Whether the operation was over at once; *code is its result. */
static bool at_once(const transfer *t, int *code)
{
    *code = 0;
    if (t->target == TUTTI_PROC_NULL || t->bytes == 0) return true;
    enum tti_rma_way way = tti_rma_way_to(t->window, t->target);
    if (way == TTI_RMA_COPY || way == TTI_RMA_DIRECT) tti_progress_sometimes(TTI_SOMETIMES_BY_DATA);
    way = tti_rma_way_to(t->window, t->target); /* the part may have ended */
    if (way == TTI_RMA_COPY) return copied(t, code);
    if (way != TTI_RMA_DIRECT) return false;
    char *there = t->window->states[t->target].direct + t->offset;
    move(t->to != NULL ? t->to : there, t->to != NULL ? there : t->from, t->bytes);
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

static int put_slowly(const transfer *t, bool ordered, tutti_request **request)
{
    const char *const call = "tutti_put";
    const bool fabric = tti_rma_way_to(t->window, t->target) == TTI_RMA_FABRIC;
    const bool bounce = fabric && request == NULL && !ordered && t->bytes <= BOUNCE_MOST;
    tti_rma_op *op = tti_rma_op_make(call, t->window, t->target, TTI_RMA_PUT,
                                     request != NULL ? TTI_RMA_REQUEST : TTI_RMA_CALL, bounce ? t->bytes : 0);
    if (op == NULL) return TUTTI_ERR_NO_MEMORY;
    if (bounce) tti_copy_long(op->bounce, t->from, t->bytes);
    op->from = bounce ? op->bounce : t->from;
    op->bytes = t->bytes;
    op->offset = t->offset;
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
    const transfer put = {window, target, offset, bytes, local, NULL};
    int code = tti_rma_check("tutti_put", window, target, offset, bytes, local);
    if (code < 0) return tti_answer(code);
    tti_lock();
    if (!at_once(&put, &code))
        code = put_slowly(&put, false, request);
    else if (request != NULL)
        *request = NULL;
    tti_unlock();
    return tti_answer(code);
}

int tti_rma_put_ordered(tutti_window *window, const void *local, size_t bytes, int target, size_t offset)
{
    const transfer put = {window, target, offset, bytes, local, NULL};
    int code;
    return at_once(&put, &code) ? code : put_slowly(&put, true, NULL);
}

static int get_slowly(const transfer *t, tutti_request **request)
{
    const char *const call = "tutti_get";
    tti_rma_op *op = tti_rma_op_make(call, t->window, t->target, TTI_RMA_GET,
                                     request != NULL ? TTI_RMA_REQUEST : TTI_RMA_CALL, 0);
    if (op == NULL) return TUTTI_ERR_NO_MEMORY;
    op->to = t->to;
    op->bytes = t->bytes;
    op->offset = t->offset;
    if (tti_rma_way_to(t->window, t->target) == TTI_RMA_FABRIC)
        start_fabric(op, call);
    else
        tti_rma_start_messages(op);
    return finish_call(op, call, request);
}

int tutti_get(tutti_window *window, void *local, size_t bytes, int target, size_t offset,
              tutti_request **request)
{
    const transfer get = {window, target, offset, bytes, NULL, local};
    int code = tti_rma_check("tutti_get", window, target, offset, bytes, local);
    if (code < 0) return tti_answer(code);
    tti_lock();
    if (!at_once(&get, &code))
        code = get_slowly(&get, request);
    else if (request != NULL)
        *request = NULL;
    tti_unlock();
    return tti_answer(code);
}
