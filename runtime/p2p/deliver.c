/* SPDX-License-Identifier: BSD-3-Clause */
/* From a message to the receive that takes it. */
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/node/bell.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/shared_copy.h"
#include "runtime/node/single_copy.h"
#include "runtime/p2p/arrival.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peer_send.h"
#include "runtime/progress/progress.h"

static size_t accepted_bytes(const tti_p2p_op *op, const tti_incoming *message)
{
    return message->bytes < op->room ? message->bytes : op->room;
}

static void copy_in(tti_p2p_op *op, const tti_incoming *message, const void *from)
{
    const size_t bytes = accepted_bytes(op, message);
    tti_copy_short(op->buf, from, bytes);
}

/* Steps of the receive may run within its own start: ends are returned, not reported. */
static int push(tti_peer *peer, tti_p2p_op *op, enum tti_op_todo todo)
{
    const int step = tti_op_push(peer, op, todo);
    if (step < 0) op->error = step;
    return step < 0 ? TTI_P2P_DONE : step;
}

/* Tells the sender that the message is received, or with what the receive failed. */
static int reply(tti_peer *peer, tti_p2p_op *op, int code)
{
    if (code < 0) op->error = code;
    op->u.transfer.reply = code;
    return push(peer, op, TTI_TODO_FIN);
}

/* A sender that seems to wait, on a core of its own, can do a part. Where this rank has sent long messages
 * too, both have enough to do. */
static bool asks_for_help(const tti_peer *peer, size_t bytes)
{
    return bytes >= tti_node_crossings(tti_peers.node)->help && tti_p2p_engine.ids.used == 0 &&
           !tti_wait_shares_now() && tti_node_is_awake(tti_peers.node, peer->node_index);
}

static int read_with_help(const tti_peer *peer, const tti_p2p_op *op, uint64_t address)
{
    const tti_packet_help help = {tti_peers_plain_head(TTI_PACKET_HELP, 0), op->u.transfer.remote_id,
                                  tti_node_share_begin(tti_peers.node), (uintptr_t)op->buf,
                                  op->u.transfer.accepted};
    tti_peer_send(peer, &help, sizeof help, NULL, 0); /* where there is no room it does without */
    return tti_node_share_read(tti_peers.node, peer->node_index, address, op->buf, op->u.transfer.accepted);
}

/* Whether the kernel's copy is the shorter way: it takes a call, packets take two copies. */
static bool is_worth_reading(const tti_peer *peer, size_t bytes)
{
    if (tti_wait_shares_lately()) return bytes >= tti_node_crossings(tti_peers.node)->fetch_shared;
    return bytes >= tti_node_fetch_least(tti_peers.node, peer->node_index);
}

/* Reads the data from the sender's memory: 0, an error, or TUTTI_ERR_UNSUPPORTED if it must be sent. */
static int read_over(const tti_peer *peer, tti_p2p_op *op, uint64_t address)
{
    if (op->u.transfer.accepted == 0) return 0;
    if (peer->route != TTI_ROUTE_NODE || !is_worth_reading(peer, op->u.transfer.accepted) ||
        !tti_node_can_read(tti_peers.node, peer->node_index))
        return TUTTI_ERR_UNSUPPORTED;
    if (asks_for_help(peer, op->u.transfer.accepted)) return read_with_help(peer, op, address);
    return tti_node_read(tti_peers.node, peer->node_index, address, op->buf, op->u.transfer.accepted);
}

/* The kernel may be the first to say that the sender is dead. */
static int read_over_or_lose(const tti_peer *peer, tti_p2p_op *op, uint64_t address)
{
    const int code = read_over(peer, op, address);
    if (code == TUTTI_ERR_PEER_FAILED && !tti_peer_has_left(peer)) tti_peer_lost(NULL, peer->rank, code);
    return code;
}

/* What has come unasked, or will, is not asked for. Only the fabric brings such. */
static void take_first(tti_peer *peer, tti_p2p_op *op, const tti_incoming *message)
{
    if (peer->route != TTI_ROUTE_FABRIC || message->first == 0 || message->first >= op->u.transfer.accepted)
        return;
    op->u.transfer.moved = message->first;
    if (message->payload != NULL) {
        tti_copy_long(op->buf, message->payload, message->first);
    } else {
        op->u.transfer.awaits_first = message->first;
        peer->first_for = op->id;
    }
}

/* A program's mistake: it has called tutti_finalize() while the message was under way. It does not answer,
 * and what its memory held by then may have been something else. */
static int miss(const tti_peer *peer, tti_p2p_op *op)
{
    op->error = tti_departure_fail_receive(peer->rank);
    return TTI_P2P_DONE;
}

static int fetch(tti_peer *peer, tti_p2p_op *op, const tti_incoming *message)
{
    op->u.transfer.accepted = accepted_bytes(op, message);
    op->u.transfer.moved = 0;
    op->u.transfer.reply = 0;
    op->u.transfer.awaits_first = 0;
    int code = read_over_or_lose(peer, op, message->address);
    if (tti_peer_has_left(peer)) return miss(peer, op);
    if (code != TUTTI_ERR_UNSUPPORTED) return reply(peer, op, code);
    code = tti_op_number(op);
    if (code < 0) return reply(peer, op, code);
    take_first(peer, op, message);
    return push(peer, op, peer->route == TTI_ROUTE_FABRIC ? TTI_TODO_BULK_RECV : TTI_TODO_CTS);
}

static int answer(tti_p2p_op *op, const tti_incoming *message)
{
    tti_peer *peer;
    int code = tti_peer_get(message->source, &peer);
    if (code == 0) code = tti_peer_failed(message->source);
    if (code < 0) {
        op->error = code;
        return TTI_P2P_DONE;
    }
    op->u.transfer.remote_id = message->send_id;
    if (message->kind == TTI_MESSAGE_OFFERED) return fetch(peer, op, message);
    return tti_peer_has_left(peer) ? TTI_P2P_DONE : reply(peer, op, 0); /* it would wait for room for ever */
}

TTI_HOT int tti_deliver(tti_p2p_op *op, const tti_incoming *message)
{
    op->state = TTI_OP_OVER; /* no longer posted */
    op->peer = message->source;
    op->source = tti_comm_rank_of(op->comm, message->source);
    op->tag = message->tag;
    op->bytes = message->bytes;
    op->error = message->bytes > op->room ? TUTTI_ERR_TRUNCATE : 0;
    if (__builtin_expect(message->kind == TTI_MESSAGE_WHOLE, 1)) {
        copy_in(op, message, message->payload);
        if (message->send_id == 0) return TTI_P2P_DONE;
    }
    if (message->kind == TTI_MESSAGE_OWN) {
        copy_in(op, message, message->sender->buf);
        tti_op_finish_later(message->sender, 0);
        return TTI_P2P_DONE;
    }
    if (message->kind == TTI_MESSAGE_WITHDRAWN) {
        op->error = tti_message_fail_withdrawn(message->source);
        return TTI_P2P_DONE;
    }
    return answer(op, message);
}
