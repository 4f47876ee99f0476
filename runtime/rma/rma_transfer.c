/* SPDX-License-Identifier: BSD-3-Clause */
/* The origin's half of operations that go to the target's process or through the fabric.
 *
 * Over active messages an operation is cut into chunks, each a request that the target answers in order. Only
 * so many are unanswered at a time, which bounds the memory that they take at both ends. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/element.h"
#include "runtime/base/status.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/rma_target.h"
#include "runtime/rma/rma_transfer.h"

#define IN_FLIGHT 32

typedef struct {
    tti_link active;  /* all operations that are not over */
    tti_link waiting; /* those with something to send; the first is being sent */
    unsigned first, count;
    struct {
        tti_rma_op *op; /* NULL: nobody wants the answer any more */
        size_t at, bytes;
    } flights[IN_FLIGHT]; /* requests unanswered, oldest at `first` */
} channel;

static channel **channels; /* by job rank, made at first use */
static int channel_count;

static channel *channel_to(int job_rank)
{
    channel *c = channels[job_rank];
    if (c != NULL) return c;
    c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    tti_list_init(&c->active);
    tti_list_init(&c->waiting);
    return channels[job_rank] = c;
}

/* Bytes of the target's memory that the next request of the operation covers. */
static size_t next_part(const tti_rma_op *op)
{
    const size_t left = op->bytes - op->sent;
    if (op->what == TTI_RMA_ASK) return left;
    size_t most = TTI_RMA_CHUNK;
    if (op->what == TTI_RMA_COMBINE) most -= most % tti_element_bytes(op->type);
    return left < most ? left : most;
}

/* Bytes that travel with it. */
static size_t payload_of(const tti_rma_op *op, size_t part)
{
    if (op->what == TTI_RMA_GET || op->what == TTI_RMA_ASK || op->op == TUTTI_NO_OP) return 0;
    return op->what == TTI_RMA_SWAP ? 2 * part : part;
}

static int send_next(channel *c, tti_rma_op *op)
{
    const size_t part = next_part(op), payload = payload_of(op, part);
    const tti_rma_request_head head = {.window = tti_rma_part_of(op->window, op->target)->window,
                                       .what = op->what,
                                       .offset = op->offset + op->sent,
                                       .bytes = part,
                                       .type = op->type,
                                       .op = (uint64_t)(uintptr_t)op->op,
                                       .signal_offset = op->signal_offset,
                                       .add = op->add};
    const int code = tti_am_send(tti_comm_job_rank(op->window->comm, op->target), TTI_AM_RMA_REQUEST, &head,
                                 sizeof head, payload > 0 ? op->from + op->sent : NULL, payload);
    if (code < 0) return code;
    const unsigned place = (c->first + c->count++) % IN_FLIGHT;
    c->flights[place].op = op;
    c->flights[place].at = op->sent;
    c->flights[place].bytes = part;
    op->sent += part;
    return 0;
}

/* What of it was sent is still answered; nothing more is sent. */
static void give_up(tti_rma_op *op, int code)
{
    op->error = code;
    op->bytes = op->sent;
    op->all_sent = true;
    tti_list_remove(&op->waiting);
    if (op->answered == op->sent) tti_rma_op_finish(op, code);
}

static void pump(channel *c)
{
    while (c->count < IN_FLIGHT && !tti_list_empty(&c->waiting)) {
        tti_rma_op *op = TTI_OWNER(c->waiting.next, tti_rma_op, waiting);
        const int code = send_next(c, op);
        if (code < 0) {
            give_up(op, code);
        } else if (op->sent == op->bytes) {
            op->all_sent = true;
            tti_list_remove(&op->waiting);
        }
    }
}

/* What the answer to `part` bytes of the operation may be. Nobody wants that of one that was given up. */
static bool answers(const tti_rma_reply_head *head, const tti_rma_op *op, size_t part)
{
    if (!tti_status_is_known(head->error)) return false;
    if (head->error < 0) return head->bytes == 0;
    if (op == NULL) return head->bytes == 0 || head->bytes == part;
    return head->bytes == (op->to != NULL ? part : 0);
}

/* Late answers of a rank that is lost find nothing under way. */
static bool reply_arrived(int job_rank, const void *payload, size_t bytes)
{
    channel *c = channels[job_rank];
    tti_rma_reply_head head;
    if (bytes < sizeof head) return false;
    memcpy(&head, payload, sizeof head);
    if (c == NULL || c->count == 0) return tti_lost_is_dead(job_rank);
    tti_rma_op *op = c->flights[c->first].op;
    const size_t at = c->flights[c->first].at, part = c->flights[c->first].bytes;
    if (bytes != sizeof head + head.bytes || !answers(&head, op, part)) return false;
    c->first = (c->first + 1) % IN_FLIGHT;
    c->count--;
    if (op != NULL) {
        if (head.bytes > 0) memcpy(op->to + at, (const char *)payload + sizeof head, part);
        if (op->error == 0) op->error = head.error;
        op->answered += part;
        if (op->all_sent && op->answered == op->bytes) tti_rma_op_finish(op, op->error);
    }
    pump(c);
    return true;
}

void tti_rma_start_messages(tti_rma_op *op)
{
    channel *c = channel_to(tti_comm_job_rank(op->window->comm, op->target));
    if (c == NULL) {
        tti_rma_op_finish(
            op, tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the first RMA to rank %d", op->target));
        return;
    }
    tti_list_append(&c->active, &op->active);
    tti_list_append(&c->waiting, &op->waiting);
    pump(c);
}

static void fabric_done(tti_fabric_op *fabric, int code)
{
    tti_rma_op *op = TTI_OWNER(fabric, tti_rma_op, fabric);
    op->fabric_busy = false;
    if (op->other != NULL) op->other->other = NULL;
    if (op->unmapped && code != 0) code = TUTTI_ERR_ARG;
    tti_rma_op_finish(op, op->error != 0 ? op->error : code);
}

/* Hands it to the fabric as soon as that has room. */
static bool post(const void *argument)
{
    tti_rma_op *op = *(tti_rma_op *const *)argument;
    const int rank = tti_comm_job_rank(op->window->comm, op->target);
    const tti_fabric_remote *remote = &tti_rma_part_of(op->window, op->target)->remote;
    /* The peer died meanwhile; or the fabric has it already, as who waits asks again before it returns. */
    if (op->over || op->fabric_busy) return true;
    const int code =
        op->what == TTI_RMA_GET
            ? tti_fabric_read(tti_ways_fabric(), rank, remote, op->offset, op->to, op->bytes, &op->fabric)
            : tti_fabric_write(tti_ways_fabric(), rank, remote, op->offset, op->from, op->bytes, &op->fabric);
    if (code == 1) return false;
    op->fabric_busy = code == 0;
    if (code < 0) tti_rma_op_finish(op, code);
    return true;
}

void tti_rma_start_fabric(tti_rma_op *op, const char *call)
{
    const int rank = tti_comm_job_rank(op->window->comm, op->target);
    channel *c = channel_to(rank);
    if (c == NULL) {
        tti_rma_op_finish(
            op, tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the first RMA to rank %d", op->target));
        return;
    }
    tti_list_append(&c->active, &op->active);
    op->fabric.done = fabric_done;
    op->fabric.rank = rank;
    op->all_sent = true;
    tti_rma_op *const posted = op;
    tti_wait_until(post, &posted, call, rank);
}

/* The rank is lost: no answer will come. What the fabric holds ends when that lets go of the buffer, into
 * which it may write until then. */
static void end_all(int job_rank, bool left)
{
    (void)left;
    channel *c = channels != NULL ? channels[job_rank] : NULL;
    if (c == NULL) return;
    c->count = 0;
    for (tti_link *at = c->active.next, *next; at != &c->active; at = next) {
        tti_rma_op *op = TTI_OWNER(at, tti_rma_op, active);
        next = at->next;
        if (!op->fabric_busy) tti_rma_op_finish(op, TUTTI_ERR_PEER_FAILED);
    }
}

/* What the fabric has it keeps until it is through, or the peer is lost: a living peer that makes no progress
 * goes on with it later, and the fabric writes into, or reads from, the caller's buffer then. Where the
 * peer's memory is gone the doubt (rma_doubt.c) ends it. */
static void abandon_on(channel *c, const tutti_window *window)
{
    for (unsigned i = 0; i < c->count; i++) {
        tti_rma_op **op = &c->flights[(c->first + i) % IN_FLIGHT].op;
        if (*op != NULL && (*op)->window == window) *op = NULL;
    }
    for (tti_link *at = c->active.next, *next; at != &c->active; at = next) {
        tti_rma_op *op = TTI_OWNER(at, tti_rma_op, active);
        next = at->next;
        if (op->window != window) continue;
        if (!op->fabric_busy)
            tti_rma_op_finish(op, window->comm->revoked ? TUTTI_ERR_REVOKED : TUTTI_ERR_PEER_FAILED);
        else if (window->comm->revoked)
            op->error = TUTTI_ERR_REVOKED;
    }
}

void tti_rma_abandon(const tutti_window *window)
{
    for (int i = 0; i < channel_count; i++)
        if (channels[i] != NULL) abandon_on(channels[i], window);
}

int tti_rma_transfers_open(int ranks)
{
    channels = calloc((size_t)ranks, sizeof(channel *));
    if (channels == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a table of %d ranks", ranks);
    channel_count = ranks;
    tti_am_register(TTI_AM_RMA_REQUEST, tti_rma_request_arrived);
    tti_am_register(TTI_AM_RMA_REPLY, reply_arrived);
    tti_lost_watch(end_all);
    return 0;
}

void tti_rma_transfers_close(void)
{
    for (int i = 0; channels != NULL && i < channel_count; i++)
        free(channels[i]);
    free(channels);
    channels = NULL;
}
