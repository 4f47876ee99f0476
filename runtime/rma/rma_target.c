/* SPDX-License-Identifier: BSD-3-Clause */
/* The target's half of active messages: what a peer asks for is checked and done on this rank's processor. */
#include <inttypes.h>
#include <string.h>

#include "runtime/base/copy.h"
#include "runtime/base/element.h"
#include "runtime/base/log.h"
#include "runtime/base/pages.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/rma/atomic_cell.h"
#include "runtime/rma/rma_messages.h"
#include "runtime/rma/rma_target.h"
#include "runtime/rma/window_table.h"

static const tutti_op *op_of(const tti_rma_request_head *head)
{
    return (const tutti_op *)(uintptr_t)head->op;
}

/* An unaligned signal would be added to without other ranks seeing it whole. */
static bool admits_signal(const tti_rma_request_head *head, const tutti_window *window)
{
    return window->bytes >= 8 && head->signal_offset <= window->bytes - 8 &&
           ((uintptr_t)window->base + head->signal_offset) % 8 == 0;
}

static bool admits_swap(const tti_rma_request_head *head)
{
    return head->type >= TUTTI_INT8 && head->type <= TUTTI_UINT64 &&
           head->bytes == tti_element_bytes(head->type) && head->offset % head->bytes == 0;
}

/* Operation, type and lengths, for a part that lies in the window. */
static int check_kind(const tti_rma_request_head *head, const tutti_window *window, size_t payload)
{
    const uint64_t operand = op_of(head) == TUTTI_NO_OP ? 0 : head->bytes;
    switch (head->what) {
    case TTI_RMA_PUT: return payload == head->bytes ? 0 : TUTTI_ERR_ARG;
    case TTI_RMA_GET: return payload == 0 && head->bytes <= TTI_RMA_CHUNK ? 0 : TUTTI_ERR_ARG;
    case TTI_RMA_SIGNAL: return payload == head->bytes && admits_signal(head, window) ? 0 : TUTTI_ERR_ARG;
    case TTI_RMA_COMBINE:
        return tti_rma_admits(head->type, op_of(head), head->offset) && payload == head->bytes &&
                       payload % tti_element_bytes(head->type) == 0
                   ? 0
                   : TUTTI_ERR_TYPE;
    case TTI_RMA_FETCH:
        return tti_rma_admits(head->type, op_of(head), head->offset) && payload == operand &&
                       head->bytes == tti_element_bytes(head->type)
                   ? 0
                   : TUTTI_ERR_TYPE;
    case TTI_RMA_ASK: return payload == 0 ? 0 : TUTTI_ERR_VERSION;
    case TTI_RMA_SWAP: return admits_swap(head) && payload == 2 * head->bytes ? 0 : TUTTI_ERR_TYPE;
    default: return TUTTI_ERR_VERSION;
    }
}

static void log_unmapped(const tti_rma_request_head *head, const tutti_window *window, int job_rank)
{
    tti_log(TTI_LOG_ERROR,
            "rank %d of the job waits for %" PRIu64 " bytes at offset %" PRIu64
            " of this rank's window of %zu bytes at %p, which are not mapped: memory must outlive the window",
            job_rank, head->bytes, head->offset, window->bytes, (void *)window->base);
}

/* The provider drops what it cannot read here, without a word to either side. If it has sent a part, the peer
 * takes for the rest what is sent next, and no answer comes through: then this rank gets the signal that it
 * would have got on a node, and so it does of what it may not read. */
static int check_mapped(const tti_rma_request_head *head, const tutti_window *window, int job_rank)
{
    const char *at = window->base + head->offset;
    const bool mapped = tti_pages_mapped(at, head->bytes);
    if (!mapped) log_unmapped(head, window, job_rank);
    if (!mapped && !tti_pages_mapped(at, 1)) return TUTTI_ERR_ARG;
    tti_pages_read(at, head->bytes);
    return 0;
}

static int check_request(const tti_rma_request_head *head, const tutti_window *window, int job_rank,
                         size_t payload)
{
    /* Freed early for a death that the origin has not heard of yet. */
    if (window == NULL) return tti_lost_any_dead() ? TUTTI_ERR_PEER_FAILED : TUTTI_ERR_ARG;
    if (tti_comm_rank_of(window->comm, job_rank) < 0) return TUTTI_ERR_RANK;
    if (head->offset > window->bytes || head->bytes > window->bytes - head->offset) return TUTTI_ERR_ARG;
    const int code = check_kind(head, window, payload);
    return code == 0 && head->what == TTI_RMA_ASK ? check_mapped(head, window, job_rank) : code;
}

/* Does it; `result` has room for an element. Returns the bytes of the result that go back. */
static size_t perform(const tti_rma_request_head *head, tutti_window *window, const char *operand,
                      char *result)
{
    const tutti_op *op = op_of(head);
    char *at = window->base + head->offset;
    switch (head->what) {
    case TTI_RMA_COMBINE:
        tti_rma_cells_combine(at, operand, head->bytes / tti_element_bytes(head->type), head->type, op);
        return 0;
    case TTI_RMA_FETCH:
        tti_rma_cell_combine(at, operand, result, head->bytes, head->type, op);
        return head->bytes;
    case TTI_RMA_SWAP:
        tti_rma_cell_swap(at, operand, operand + head->bytes, result, head->bytes);
        return head->bytes;
    case TTI_RMA_ASK: return 0;
    default:
        if (head->bytes > 0) tti_copy_long(at, operand, head->bytes);
        if (head->what == TTI_RMA_SIGNAL)
            tti_rma_cell_combine(window->base + head->signal_offset, &head->add, NULL, sizeof head->add,
                                 TUTTI_UINT64, TUTTI_SUM);
        return 0;
    }
}

bool tti_rma_request_arrived(int job_rank, const void *payload, size_t bytes)
{
    tti_rma_request_head head;
    if (bytes < sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    tutti_window *window = tti_rma_window(head.window);
    tti_rma_reply_head reply = {.error = check_request(&head, window, job_rank, bytes - sizeof head)};
    char result[TTI_RMA_ELEMENT_MAX];
    const char *answer = result;
    if (reply.error == 0 && head.what == TTI_RMA_GET) {
        answer = window->base + head.offset;
        reply.bytes = (uint32_t)head.bytes;
    } else if (reply.error == 0) {
        reply.bytes = (uint32_t)perform(&head, window, (const char *)payload + sizeof head, result);
    }
    tti_am_tell(job_rank, TTI_AM_RMA_REPLY, &reply, sizeof reply, reply.bytes > 0 ? answer : NULL,
                reply.bytes);
    return true;
}
