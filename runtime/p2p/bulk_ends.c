/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows when the fabric is through with bulk data, or with a part of it, on either side. */
#include "runtime/base/status.h"
#include "runtime/p2p/engine.h"
#include "tutti/error.h"

/* Whether the end of a bulk transfer is this rank's alone, so that the peer waits until it is told. */
static bool is_own_fault(const tti_p2p_op *op, int code)
{
    return code != TUTTI_ERR_CANCELLED && code != TUTTI_ERR_PEER_FAILED && op->u.transfer.reply == 0 &&
           tti_peer_failed(op->peer) == 0;
}

/* Of a peer that is lost nothing more comes, and those that awaited it then have been told. */
static void await_more(tti_p2p_op *op)
{
    const int lost = tti_peer_failed(op->peer);
    if (lost != 0)
        tti_op_finish(op, lost);
    else
        op->state = TTI_OP_AWAIT;
}

static void part_sent(tti_p2p_op *op)
{
    op->u.transfer.moved += op->u.transfer.bulk.bytes;
    if (op->u.transfer.reply != 0 || op->u.transfer.moved == op->u.transfer.accepted) {
        tti_op_finish(op, op->u.transfer.reply);
    } else if (op->u.transfer.posted > 0) {
        tti_op_push_on(tti_peers.of[op->peer], op, TTI_TODO_BULK_SEND);
    } else {
        op->todo = TTI_TODO_RTS;
        await_more(op);
    }
}

/* The first part was sent before the rest, but as a packet, which may take longer. */
static void rest_received(tti_p2p_op *op)
{
    if (op->u.transfer.awaits_first > 0)
        await_more(op);
    else
        tti_op_finish(op, op->error);
}

static void part_received(tti_p2p_op *op)
{
    op->u.transfer.moved += op->u.transfer.bulk.bytes;
    if (op->u.transfer.reply != 0)
        tti_op_finish(op, op->u.transfer.reply);
    else if (op->u.transfer.moved >= op->u.transfer.accepted || op->u.transfer.bulk.bytes == 0)
        rest_received(op);
    else
        tti_op_push_on(tti_peers.of[op->peer], op, TTI_TODO_BULK_RECV);
}

/* A receive whose request for the data has not left yet: what has come is not the peer's, or that is out of
 * step. */
static void came_unasked(tti_p2p_op *op)
{
    const int code = tti_fail(TUTTI_ERR_PEER_FAILED,
                              "rank %d's data of a message of %zu bytes, tag %d, came before this rank had "
                              "asked for it; all that is under way with it ends",
                              op->peer, op->bytes, op->tag);
    tti_op_finish(op, tti_peer_part(op->peer, code));
}

/* One that ends because the peer gave up, or was lost, says so, and not that its transfer was withdrawn. */
void tti_bulk_done(tti_fabric_op *bulk, int code)
{
    tti_p2p_op *op = TTI_OWNER(bulk, tti_p2p_op, u.transfer.bulk);
    const int lost = tti_peer_failed(op->peer);
    if (code == 0 && op->todo == TTI_TODO_BULK_SEND) {
        part_sent(op);
    } else if (code == 0 && op->state == TTI_OP_QUEUED) {
        came_unasked(op);
    } else if (code == 0) {
        part_received(op);
    } else if (is_own_fault(op, code)) {
        op->error = op->u.transfer.reply = code;
        tti_op_push_on(tti_peers.of[op->peer], op, op->todo == TTI_TODO_CTS ? TTI_TODO_FIN : TTI_TODO_STOP);
    } else if (op->u.transfer.reply != 0) {
        tti_op_finish(op, op->u.transfer.reply);
    } else {
        tti_op_finish(op, lost != 0 ? lost : code);
    }
}
