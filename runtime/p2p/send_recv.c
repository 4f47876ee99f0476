/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts of operations. */
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peer_send.h"

/* From here on the operation is under way. */
TTI_HOT static void set_up(tti_p2p_op *op, tutti_comm *comm, uint64_t context, void *buf, size_t room,
                           int peer, int tag)
{
    op->error = 0;
    op->tag = tag;
    op->comm = comm;
    op->buf = buf;
    op->room = room;
    op->context = context;
    op->id = 0;
    op->peer = peer;
    op->state = TTI_OP_OVER;
    op->todo = TTI_TODO_EAGER; /* none of those that mean something outside a queue */
    tti_comm_hold(comm);
}

/* Undoes set_up() where the start itself fails. */
static int give_up(tti_p2p_op *op, int code)
{
    tti_op_finish_now(op, code);
    return code;
}

static int keep_own(tti_p2p_op *op, const tti_incoming *message)
{
    tti_arrival *arrival = tti_arrival_keep(message);
    if (arrival == NULL)
        return give_up(op, tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a message of %zu bytes to oneself",
                                    message->bytes));
    if (message->kind == TTI_MESSAGE_WHOLE) return tti_op_finish_now(op, 0);
    op->state = TTI_OP_KEPT;
    op->u.kept = arrival;
    return 0;
}

static int send_to_self(tti_p2p_op *op, const tti_peer *peer, enum tti_p2p_mode mode)
{
    const bool copied = mode == TTI_SEND_STANDARD && op->room <= peer->eager_most;
    const tti_incoming message = {.kind = copied ? TTI_MESSAGE_WHOLE : TTI_MESSAGE_OWN,
                                  .context = op->context,
                                  .source = op->peer,
                                  .tag = op->tag,
                                  .bytes = op->room,
                                  .payload = op->buf,
                                  .sender = op};
    tti_match_receive *receive = tti_match_arrive(&tti_p2p_engine.match, op->context, op->peer, op->tag);
    if (receive == NULL) return keep_own(op, &message);
    tti_p2p_op *taker = TTI_OWNER(receive, tti_p2p_op, u.posted);
    tti_incoming whole = message;
    whole.kind = TTI_MESSAGE_WHOLE;
    tti_deliver(taker, &whole);
    tti_op_finish_later(taker, taker->error);
    return tti_op_finish_now(op, 0);
}

static int send_slowly(tti_p2p_op *op, tti_peer *peer, enum tti_p2p_mode mode)
{
    if (peer->route == TTI_ROUTE_SELF) return send_to_self(op, peer, mode);
    if (tti_peer_has_left(peer)) return give_up(op, tti_departure_fail(peer->rank));
    const bool eager = tti_peer_takes_eager(peer, op->room);
    enum tti_op_todo todo = TTI_TODO_EAGER;
    if (!eager || mode == TTI_SEND_SYNCHRONOUS) {
        todo = eager && op->room <= peer->copied_most ? TTI_TODO_EAGER_SYNC : TTI_TODO_RTS;
        const int code = tti_op_number(op);
        if (code < 0) return give_up(op, code);
    }
    const int turn = tti_op_push(peer, op, todo);
    if (turn < 0) return give_up(op, turn);
    return turn == TTI_TURN_OVER ? tti_op_finish_now(op, 0) : 0;
}

TTI_HOT int tti_p2p_send(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, enum tti_p2p_mode mode,
                         const void *buf, size_t bytes, int dest, int tag)
{
    op->error = 0;
    if (dest == TUTTI_PROC_NULL) return TTI_P2P_DONE;
    if (__builtin_expect(comm->revoked, 0)) return tti_comm_check_revoked(comm);
    tti_peer *peer;
    const int rank = tti_comm_job_rank(comm, dest);
    int code = tti_peer_get(rank, &peer);
    if (code < 0) return code;
    code = tti_peer_check(rank);
    if (code < 0) return code;
    const uint64_t context = tti_p2p_matching(comm->context, space);
    /* The short cut: a small message for which there is room leaves no trace here. */
    if (mode == TTI_SEND_STANDARD && peer->route != TTI_ROUTE_SELF && tti_list_empty(&peer->queue) &&
        bytes < peer->in_place_least && tti_peer_takes_eager(peer, bytes)) {
        const tti_packet_head head = tti_packet_head_for(TTI_PACKET_EAGER, tti_peers.job->rank, context, tag);
        code = tti_peer_send(peer, &head, sizeof head, buf, bytes);
        if (code == 0) return TTI_P2P_DONE;
        if (code < 0) return code;
    }
    set_up(op, comm, context, (void *)(uintptr_t)buf, bytes, rank, tag);
    return send_slowly(op, peer, mode);
}

/* To fail where the sweep has yet to find a lost rank would leave what it had sent to the next receive. What
 * this rank had no memory for, or the like, came before its sender left: then the loss is what counts. */
static TTI_APART int check_absent(const tutti_comm *comm, int rank)
{
    if (rank == TUTTI_ANY_SOURCE) return tti_lost_check_any_source(comm);
    const int lost = tti_peer_failed(rank);
    const bool dropped = lost != 0 && lost != TUTTI_ERR_PEER_FAILED;
    if (tti_lost_has_departed(rank) && !tti_peers.left[rank] && !dropped)
        return tti_departure_fail_receive(rank);
    if (lost == 0 || !tti_failure_is_swept(rank)) return 0;
    return tti_peer_check(rank);
}

TTI_HOT int tti_p2p_check_source(const tutti_comm *comm, int rank)
{
    const int absent = tti_peers.departures + atomic_load_explicit(&tti_peers.failures, memory_order_relaxed);
    return __builtin_expect(absent == 0, 1) ? 0 : check_absent(comm, rank);
}

TTI_HOT int tti_p2p_recv_kept(tti_p2p_op *op, tutti_comm *comm, tti_arrival *arrival, void *buf, size_t bytes)
{
    const tti_incoming *message = &arrival->message;
    set_up(op, comm, message->context, buf, bytes, message->source, message->tag);
    const int step = tti_deliver(op, message);
    tti_arrival_free(arrival);
    return step == TTI_P2P_DONE ? tti_op_finish_now(op, op->error) : 0;
}

TTI_HOT int tti_p2p_recv(tti_p2p_op *op, tutti_comm *comm, enum tti_p2p_space space, void *buf, size_t bytes,
                         int source, int tag)
{
    op->bytes = 0;
    op->source = source;
    op->tag = tag;
    if (source == TUTTI_PROC_NULL) {
        op->error = 0;
        op->tag = TUTTI_ANY_TAG;
        return TTI_P2P_DONE;
    }
    if (__builtin_expect(comm->revoked, 0)) return tti_comm_check_revoked(comm);
    const int rank = source == TUTTI_ANY_SOURCE ? source : tti_comm_job_rank(comm, source);
    const uint64_t context = tti_p2p_matching(comm->context, space);
    tti_match *match = &tti_p2p_engine.match;
    tti_arrival *arrival = (tti_arrival *)tti_match_find(match, context, rank, tag);
    if (arrival != NULL) {
        tti_arrival_take(arrival);
        return tti_p2p_recv_kept(op, comm, arrival, buf, bytes);
    }
    const int code = tti_p2p_check_source(comm, rank);
    if (code < 0) {
        if (rank == TUTTI_ANY_SOURCE) op->source = tti_lost_mourned_member(comm);
        return code;
    }
    set_up(op, comm, context, buf, bytes, rank, tag);
    op->state = TTI_OP_POSTED;
    tti_match_post(match, &op->u.posted, context, rank, tag);
    return 0;
}
