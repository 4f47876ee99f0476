/* SPDX-License-Identifier: BSD-3-Clause */
/* Life of an operation that is not over at once. */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/base/status.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_op.h"
#include "runtime/rma/window_end.h"

static void release(tutti_request *request)
{
    free(request);
}

static const tti_request_kind kinds[] = {
    [TTI_RMA_PUT] = {.name = "tutti_put", .release = release},
    [TTI_RMA_GET] = {.name = "tutti_get", .release = release},
    [TTI_RMA_COMBINE] = {.name = "tutti_accumulate", .release = release},
};

tti_rma_op *tti_rma_op_make(const char *call, tutti_window *window, int target, enum tti_rma_what what,
                            enum tti_rma_owner owner, size_t bounce)
{
    tti_rma_op *op = calloc(1, sizeof *op + bounce);
    if (op == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for an operation on rank %d", call, target);
        return NULL;
    }
    op->window = window;
    op->target = target;
    op->what = what;
    op->owner = owner;
    op->active.next = op->active.prev = &op->active;
    op->waiting.next = op->waiting.prev = &op->waiting;
    op->number = ++window->begun;
    window->pending++;
    tti_list_append(&window->states[target].pending, &op->pending);
    if (owner == TTI_RMA_REQUEST) {
        tti_request_open(&op->request, &kinds[what], false);
        tti_request_begin(&op->request);
    }
    return op;
}

int tti_rma_explain(const char *call, const tutti_window *window, int target, int error)
{
    if (error == 0) return 0;
    return tti_fail(error, "%s: an operation on rank %d (%d of the job) failed: %s", call, target,
                    tti_comm_job_rank(window->comm, target), tutti_strerror(error));
}

int tti_rma_op_explain(const tti_rma_op *op, const char *call)
{
    if (!op->unmapped) return tti_rma_explain(call, op->window, op->target, op->error);
    const tti_rma_part *part = tti_rma_part_of(op->window, op->target);
    return tti_fail(op->error,
                    "%s: %zu bytes at offset %" PRIu64 " of the window of rank %d, %" PRIu64
                    " bytes at 0x%" PRIx64 " there, are not mapped: memory must outlive the window",
                    call, op->bytes, op->offset, op->target, part->bytes, part->address);
}

bool tti_rma_ops_over(const tutti_window *window, int target, uint64_t last)
{
    const tti_link *pending = &window->states[target].pending;
    return tti_list_empty(pending) || TTI_OWNER(pending->next, tti_rma_op, pending)->number > last;
}

void tti_rma_op_finish(tti_rma_op *op, int error)
{
    tti_rma_peer_state *state = &op->window->states[op->target];
    tti_list_remove(&op->pending);
    tti_list_remove(&op->active);
    tti_list_remove(&op->waiting);
    op->over = true;
    op->error = error;
    op->window->pending--;
    if (state->ending && tti_rma_ops_over(op->window, op->target, state->last))
        tti_rma_part_over(op->window, op->target);
    if (op->owner == TTI_RMA_REQUEST) {
        if (error < 0) op->request.status.source = op->target;
        if (op->unmapped) tti_rma_op_explain(op, kinds[op->what].name);
        if (error < 0)
            tti_request_keep_detail(&op->request, error, tti_comm_job_rank(op->window->comm, op->target));
        tti_request_complete(&op->request, error);
    } else if (op->owner == TTI_RMA_DOUBT) {
        op->ended(op, error);
    } else if (op->owner == TTI_RMA_NOBODY) {
        if (state->error == 0) state->error = error;
        free(op);
    }
}

static bool is_over(const void *argument)
{
    return ((const tti_rma_op *)argument)->over;
}

static bool is_sent(const void *argument)
{
    const tti_rma_op *op = argument;
    return op->over || op->all_sent;
}

int tti_rma_op_await(tti_rma_op *op, const char *call)
{
    tti_wait_until(is_over, op, call, tti_comm_job_rank(op->window->comm, op->target));
    const int code = tti_rma_op_explain(op, call);
    free(op);
    return code;
}

int tti_rma_op_await_sent(tti_rma_op *op, const char *call)
{
    tti_wait_until(is_sent, op, call, tti_comm_job_rank(op->window->comm, op->target));
    if (op->over) return tti_rma_op_await(op, call);
    op->owner = TTI_RMA_NOBODY;
    return 0;
}
