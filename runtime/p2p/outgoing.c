/* SPDX-License-Identifier: BSD-3-Clause */
/* What an operation hands to the transport when its turn comes: a packet, or bulk data. */
#include "runtime/p2p/engine.h"
#include "runtime/peers/peer_send.h"

static tti_packet_head make_head(const tti_p2p_op *op, enum tti_packet_kind kind)
{
    return tti_packet_head_for(kind, tti_peers.job->rank, op->context, op->tag);
}

/* The packet is gone, the op waits for what the peer says. */
static int await(tti_p2p_op *op, enum tti_op_state state, int sent)
{
    if (sent == TTI_TURN_ON) op->state = (uint8_t)state;
    return sent == 1 ? TTI_TURN_NO_ROOM : sent;
}

static int over(int sent)
{
    if (sent < 0) return sent;
    return sent == 0 ? TTI_TURN_OVER : TTI_TURN_NO_ROOM;
}

static int step_eager_sync(tti_peer *peer, tti_p2p_op *op)
{
    const tti_packet_sync sync = {make_head(op, TTI_PACKET_EAGER_SYNC), op->id, 0};
    return await(op, TTI_OP_AWAIT, tti_peer_send(peer, &sync, sizeof sync, op->buf, op->room));
}

static size_t first_bytes(const tti_peer *peer, const tti_p2p_op *op)
{
    return op->room > peer->first_most ? peer->first_most : 0;
}

/* 0, 1 (no room now), or an error. */
static int send_first(tti_peer *peer, tti_p2p_op *op)
{
    const tti_packet_sync first = {make_head(op, TTI_PACKET_FIRST), op->id, 0};
    const int sent = tti_peer_send(peer, &first, sizeof first, op->buf, first_bytes(peer, op));
    if (sent == 0) op->u.transfer.owes_first = false;
    return sent;
}

/* A first part for which there is no room goes when the receiver asks for the rest. */
static int step_rts(tti_peer *peer, tti_p2p_op *op)
{
    const size_t part = first_bytes(peer, op);
    const tti_packet_rts rts = {make_head(op, TTI_PACKET_RTS), op->id, (uint32_t)part, op->room,
                                (uintptr_t)op->buf};
    const int sent = tti_peer_send(peer, &rts, sizeof rts, NULL, 0);
    if (sent != 0) return await(op, TTI_OP_AWAIT, sent);
    op->state = TTI_OP_AWAIT;
    op->u.transfer.owes_first = part > 0;
    const int first = part > 0 ? send_first(peer, op) : 0;
    return first < 0 ? first : TTI_TURN_ON;
}

static void sent_in_place(tti_fabric_op *bulk, int code)
{
    tti_p2p_op *op = TTI_OWNER(bulk, tti_p2p_op, u.transfer.bulk);
    const int lost = tti_peer_failed(op->peer);
    tti_op_finish(op, code != 0 && lost != 0 ? lost : code);
}

/* One that was to go at once, and is too long to be copied. */
static int announce(tti_peer *peer, tti_p2p_op *op)
{
    const int code = tti_op_number(op);
    op->todo = TTI_TODO_RTS;
    return code < 0 ? code : step_rts(peer, op);
}

/* Over a connection that is backed up it is copied, so that the sender need not wait for the receiver; what
 * is too long for that is announced. */
static int step_eager(tti_peer *peer, tti_p2p_op *op)
{
    tti_fabric *fabric = tti_peers.fabric;
    const tti_packet_head head = make_head(op, TTI_PACKET_EAGER);
    if (op->room >= peer->in_place_least && tti_fabric_is_clear(fabric, peer->rank)) {
        op->u.transfer.bulk.done = sent_in_place;
        const int sent = tti_fabric_send_in_place(fabric, peer->rank, &head, sizeof head, op->buf, op->room,
                                                  &op->u.transfer.bulk);
        return sent < 0 ? tti_peer_part(peer->rank, sent) : await(op, TTI_OP_BULK, sent);
    }
    if (op->room > peer->copied_most) return announce(peer, op);
    return over(tti_peer_send(peer, &head, sizeof head, op->buf, op->room));
}

/* While the receiver takes one piece out this rank copies the next one in; shorter ones cost more flags than
 * that saves. */
#define PIECE_LEAST 4096
#define PIECE_MOST 16384
#define PIECE_STEP 64

/* So many bytes of a message go in one packet of data. */
static size_t piece_bytes(const tti_peer *peer, size_t bytes)
{
    const size_t room = peer->packet_most - sizeof(tti_packet_data);
    if (peer->route != TTI_ROUTE_NODE) return room;
    const size_t half = bytes / 2 / PIECE_STEP * PIECE_STEP;
    return half < PIECE_LEAST ? PIECE_LEAST : half < PIECE_MOST ? half : PIECE_MOST;
}

static int step_data(tti_peer *peer, tti_p2p_op *op)
{
    const tti_packet_data data = {make_head(op, TTI_PACKET_DATA), op->u.transfer.remote_id, 0};
    const size_t most = piece_bytes(peer, op->u.transfer.accepted);
    while (op->u.transfer.moved < op->u.transfer.accepted) {
        const size_t left = op->u.transfer.accepted - op->u.transfer.moved, bytes = left < most ? left : most;
        const int sent =
            tti_peer_send(peer, &data, sizeof data, (const char *)op->buf + op->u.transfer.moved, bytes);
        if (sent != 0) return over(sent);
        op->u.transfer.moved += bytes;
    }
    return TTI_TURN_OVER;
}

/* Bulk data that is longer than the provider's largest message goes in parts. The receiver asks for each once
 * it has posted the receive: data that nobody has posted a receive for may hold up all that comes behind it.
 */
static size_t part_of(size_t bytes)
{
    const size_t most = tti_fabric_limits_of(tti_peers.fabric)->message_max;
    return bytes < most ? bytes : most;
}

/* Fails the op, and lets the peer know, which waits for the data or for room for it. */
static int fail_transfer(tti_peer *peer, tti_p2p_op *op, int code, enum tti_op_todo todo)
{
    op->error = op->u.transfer.reply = code;
    op->todo = (uint8_t)todo;
    return tti_op_step(peer, op);
}

static int step_bulk_send(tti_peer *peer, tti_p2p_op *op)
{
    op->u.transfer.bulk.done = tti_p2p_engine.bulk_done;
    const size_t left = op->u.transfer.accepted - op->u.transfer.moved, posted = op->u.transfer.posted;
    const int sent = tti_fabric_bulk_send(tti_peers.fabric, peer->rank,
                                          op->u.transfer.remote_id & tti_p2p_engine.bulk_mask,
                                          (const char *)op->buf + op->u.transfer.moved,
                                          part_of(posted < left ? posted : left), &op->u.transfer.bulk);
    if (sent < 0) return fail_transfer(peer, op, sent, TTI_TODO_STOP);
    if (sent == 0) op->u.transfer.posted = 0;
    return await(op, TTI_OP_BULK, sent);
}

static int step_first(tti_peer *peer, tti_p2p_op *op)
{
    const int sent = send_first(peer, op);
    if (sent != 0) return over(sent);
    op->todo = TTI_TODO_BULK_SEND;
    return step_bulk_send(peer, op);
}

static int step_cts(tti_peer *peer, tti_p2p_op *op)
{
    const bool bulk = peer->route == TTI_ROUTE_FABRIC;
    const size_t left = op->u.transfer.accepted - op->u.transfer.moved;
    const tti_packet_cts cts = {
        make_head(op, TTI_PACKET_CTS), op->u.transfer.remote_id, op->id, op->u.transfer.moved, left,
        bulk ? part_of(left) : 0};
    const int sent = tti_peer_send(peer, &cts, sizeof cts, NULL, 0);
    if (bulk && sent < 0) {
        /* The fabric still has the buffer: the op ends when it gives it back. */
        tti_fabric_bulk_cancel(tti_peers.fabric, &op->u.transfer.bulk);
        op->state = TTI_OP_BULK;
        return TTI_TURN_ON;
    }
    return await(op, bulk ? TTI_OP_BULK : TTI_OP_AWAIT, sent);
}

static int step_bulk_recv(tti_peer *peer, tti_p2p_op *op)
{
    op->u.transfer.bulk.done = tti_p2p_engine.bulk_done;
    const int posted =
        tti_fabric_bulk_recv(tti_peers.fabric, peer->rank, op->id & tti_p2p_engine.bulk_mask,
                             (char *)op->buf + op->u.transfer.moved,
                             part_of(op->u.transfer.accepted - op->u.transfer.moved), &op->u.transfer.bulk);
    if (posted < 0) return fail_transfer(peer, op, posted, TTI_TODO_FIN);
    if (posted > 0) return TTI_TURN_NO_ROOM;
    op->todo = TTI_TODO_CTS;
    return step_cts(peer, op);
}

static int step_fin(tti_peer *peer, tti_p2p_op *op)
{
    const tti_packet_fin fin = {make_head(op, TTI_PACKET_FIN), op->u.transfer.remote_id,
                                op->u.transfer.reply};
    return over(tti_peer_send(peer, &fin, sizeof fin, NULL, 0));
}

static int step_stop(tti_peer *peer, tti_p2p_op *op)
{
    const tti_packet_stop stop = {make_head(op, TTI_PACKET_STOP), op->u.transfer.remote_id,
                                  op->u.transfer.reply};
    return over(tti_peer_send(peer, &stop, sizeof stop, NULL, 0));
}

static int step_take_back(tti_peer *peer, tti_p2p_op *op, enum tti_packet_kind kind)
{
    const tti_packet_sync sync = {make_head(op, kind), op->id, 0};
    return await(op, TTI_OP_AWAIT, tti_peer_send(peer, &sync, sizeof sync, NULL, 0));
}

/* The op carries a whole packet. */
static int step_am(tti_peer *peer, tti_p2p_op *op)
{
    return over(tti_peer_send(peer, op->buf, op->room, NULL, 0));
}

int tti_op_step(tti_peer *peer, tti_p2p_op *op)
{
    switch ((enum tti_op_todo)op->todo) {
    case TTI_TODO_EAGER: return step_eager(peer, op);
    case TTI_TODO_EAGER_SYNC: return step_eager_sync(peer, op);
    case TTI_TODO_RTS: return step_rts(peer, op);
    case TTI_TODO_FIRST: return step_first(peer, op);
    case TTI_TODO_DATA: return step_data(peer, op);
    case TTI_TODO_BULK_SEND: return step_bulk_send(peer, op);
    case TTI_TODO_BULK_RECV: return step_bulk_recv(peer, op);
    case TTI_TODO_CTS: return step_cts(peer, op);
    case TTI_TODO_FIN: return step_fin(peer, op);
    case TTI_TODO_STOP: return step_stop(peer, op);
    case TTI_TODO_WITHDRAW: return step_take_back(peer, op, TTI_PACKET_WITHDRAW);
    case TTI_TODO_CANCEL: return step_take_back(peer, op, TTI_PACKET_CANCEL);
    case TTI_TODO_AM: break;
    }
    return step_am(peer, op);
}

int tti_op_push(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo)
{
    op->todo = (uint8_t)todo;
    const int turn = tti_list_empty(&peer->queue) ? tti_op_step(peer, op) : TTI_TURN_NO_ROOM;
    if (turn != TTI_TURN_NO_ROOM) return turn;
    tti_peer_queue(peer, op);
    return TTI_TURN_ON;
}

void tti_op_push_on(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo)
{
    const int turn = tti_op_push(peer, op, todo);
    if (turn == TTI_TURN_OVER)
        tti_op_finish(op, op->error);
    else if (turn < 0)
        tti_op_finish(op, turn);
}
