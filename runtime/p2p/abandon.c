/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that are given up: cancelled by the program, or abandoned because a third rank has died. */
#include "runtime/p2p/arrival.h"
#include "tutti/error.h"

static bool waits_to_hear(const tti_p2p_op *op)
{
    return op->state == TTI_OP_AWAIT && (op->todo == TTI_TODO_RTS || op->todo == TTI_TODO_EAGER_SYNC);
}

static bool has_left(const tti_p2p_op *op)
{
    return op->todo != TTI_TODO_EAGER && op->todo != TTI_TODO_EAGER_SYNC && op->todo != TTI_TODO_RTS;
}

void tti_p2p_cancel(tti_p2p_op *op)
{
    if (op->state == TTI_OP_POSTED) {
        tti_match_unpost(&tti_p2p_engine.match, &op->u.posted);
    } else if (op->state == TTI_OP_KEPT) {
        tti_arrival_take(op->u.kept);
        tti_arrival_free(op->u.kept);
    } else if (waits_to_hear(op)) {
        tti_op_take_back(op, TTI_TODO_CANCEL);
        return;
    } else if (op->state != TTI_OP_QUEUED || has_left(op)) {
        return;
    }
    tti_op_finish_later(op, TUTTI_ERR_CANCELLED);
}

/* The fabric has the buffer: done() follows when it gives that back. No other part follows. Data that a
 * living peer was asked for is taken in, unless it says that none comes (STOP), and data that it was promised
 * is sent: over net what nobody receives holds up all that comes behind it, also for others. Of a lost peer
 * nothing else is awaited. */
static void abandon_bulk(tti_p2p_op *op)
{
    tti_fabric *fabric = tti_peers.fabric;
    op->state = TTI_OP_BULK;
    if (op->u.transfer.reply == 0) op->u.transfer.reply = TUTTI_ERR_CANCELLED;
    if (tti_peer_failed(op->peer) == 0) return;
    if (op->todo == TTI_TODO_CTS)
        tti_fabric_bulk_cancel(fabric, &op->u.transfer.bulk);
    else
        tti_fabric_bulk_give_up(fabric, &op->u.transfer.bulk);
}

/* The receive is posted, and the peer has not been asked for the data yet. */
static void abandon_unasked(tti_p2p_op *op)
{
    tti_list_remove(&op->link);
    op->state = TTI_OP_BULK;
    op->u.transfer.reply = TUTTI_ERR_CANCELLED;
    tti_fabric_bulk_cancel(tti_peers.fabric, &op->u.transfer.bulk);
}

/* Bulk data that the peer has posted a receive for, and that it would wait for. */
static bool is_promised(const tti_p2p_op *op)
{
    return op->todo == TTI_TODO_BULK_SEND || op->todo == TTI_TODO_FIRST;
}

/* One that is queued waits for room at a peer that may have left by the time there would be any. */
static void abandon_queued(tti_p2p_op *op)
{
    if (op->todo == TTI_TODO_CTS && tti_peers.of[op->peer]->route == TTI_ROUTE_FABRIC) {
        abandon_unasked(op);
    } else if (is_promised(op)) {
        op->todo = TTI_TODO_STOP; /* in its place */
        op->error = op->u.transfer.reply = TUTTI_ERR_CANCELLED;
    } else if (op->todo != TTI_TODO_STOP && !tti_op_is_taken_back(op)) {
        tti_op_finish_later(op, TUTTI_ERR_CANCELLED);
    }
}

/* The data of one that was offered to a node peer may be read at any moment. */
static void abandon_awaiting(tti_p2p_op *op)
{
    if (tti_op_is_taken_back(op)) return;
    if (op->todo == TTI_TODO_RTS && tti_peers.of[op->peer]->route == TTI_ROUTE_NODE)
        tti_op_take_back(op, TTI_TODO_WITHDRAW);
    else
        tti_op_finish_later(op, TUTTI_ERR_CANCELLED);
}

void tti_p2p_abandon(tti_p2p_op *op)
{
    switch ((enum tti_op_state)op->state) {
    case TTI_OP_AWAIT: abandon_awaiting(op); break;
    case TTI_OP_QUEUED: abandon_queued(op); break;
    case TTI_OP_BULK: abandon_bulk(op); break;
    default: tti_p2p_cancel(op); break;
    }
}
