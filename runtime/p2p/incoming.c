/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets as they come from the transports. */
#include "runtime/base/copy.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/node/shared_copy.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/packet_check.h"

static tti_am_fn *am_handlers[TTI_AM_KINDS];

void tti_am_register(enum tti_am_kind kind, tti_am_fn *handle)
{
    am_handlers[kind] = handle;
}

/* The sender and this rank are out of step: what a packet was to say is lost. */
static void part(int rank, int code)
{
    tti_peer *peer; /* without one there would be nobody to tell */
    if (rank == tti_peers.job->rank) return;
    tti_peers.out_of_step[rank] = true;
    if (tti_peer_failed(rank) != 0) return;
    tti_peer_get(rank, &peer);
    tti_peer_part(rank, code);
}

/* A packet of a kind and form that a rank may send, but with a meaning that it cannot have. */
static void reject(const tti_packet_head *head, const char *what)
{
    part(head->source, tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d sent %s; all that is under way with it ends",
                                head->source, what));
}

static bool comes_from_member(const tti_incoming *message)
{
    const tutti_comm *comm = tti_comm_find(message->context / TTI_COMM_SPACES);
    return comm == NULL || tti_comm_rank_of(comm, message->source) >= 0;
}

/* Its next message would be taken for the one that is missing. */
static bool is_out_of_step(int rank)
{
    const int lost = atomic_load_explicit(&tti_peers.failures, memory_order_relaxed);
    return __builtin_expect(lost > 0, 0) && tti_peers.out_of_step[rank];
}

static void message_arrived(const tti_packet_head *head, const tti_incoming *message)
{
    tti_match *match = &tti_p2p_engine.match;
    if (is_out_of_step(message->source)) return;
    /* One that is for this very sender needs no look. */
    if (tti_match_takes_any_source(match) && !comes_from_member(message)) {
        reject(head, "a message on a communicator that it is not in");
        return;
    }
    tti_match_receive *receive = tti_match_arrive(match, message->context, message->source, message->tag);
    if (__builtin_expect(receive != NULL, 1)) {
        tti_p2p_op *op = TTI_OWNER(receive, tti_p2p_op, u.posted);
        if (tti_deliver(op, message) == TTI_P2P_DONE) tti_op_finish(op, op->error);
        return;
    }
    if (!comes_from_member(message)) {
        reject(head, "a message on a communicator that it is not in");
        return;
    }
    if (!tti_arrival_is_wanted(message->context, message->source)) {
        tti_message_refuse(message);
        return;
    }
    if (tti_arrival_keep(message) != NULL) return;
    /* The message is lost, so this rank and its sender can no longer be in step. */
    const int code = tti_fail(TUTTI_ERR_NO_MEMORY,
                              "no memory to keep a message of %zu bytes from rank %d, tag %d, which no "
                              "receive was posted for; all that is under way with that rank ends",
                              message->bytes, message->source, message->tag);
    part(message->source, code);
}

static tti_incoming describe(const tti_packet_head *head, enum tti_message_kind kind)
{
    return (tti_incoming){
        .kind = kind, .context = tti_packet_context(head), .source = head->source, .tag = head->tag};
}

TTI_HOT static void eager_arrived(const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    tti_incoming message = describe(head, TTI_MESSAGE_WHOLE);
    message.bytes = bytes - sizeof *head;
    message.payload = head + 1;
    message_arrived(packet, &message);
}

static void eager_sync_arrived(const void *packet, size_t bytes)
{
    const tti_packet_sync *sync = packet;
    tti_incoming message = describe(&sync->head, TTI_MESSAGE_WHOLE);
    message.send_id = sync->send_id;
    message.bytes = bytes - sizeof *sync;
    message.payload = sync + 1;
    message_arrived(packet, &message);
}

static void rts_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_rts *rts = packet;
    tti_incoming message = describe(&rts->head, TTI_MESSAGE_OFFERED);
    message.send_id = rts->send_id;
    message.bytes = rts->bytes;
    message.first = rts->first;
    message.address = rts->address;
    message_arrived(packet, &message);
}

/* Of a message that awaits no answer: the receiver has a part before the fabric has told this rank so; or
 * this rank has given the message up, for what the receiver will hear of as well. */
static void unawaited_wanted(const tti_packet_cts *cts)
{
    tti_p2p_op *op = tti_op_find(cts->send_id, cts->head.source, TTI_OP_BULK);
    if (op != NULL && op->todo == TTI_TODO_BULK_SEND && op->u.transfer.reply == 0)
        op->u.transfer.posted = (size_t)cts->posted;
    else if (cts->posted > 0)
        tti_receiver_stop(cts->head.source, cts->recv_id, TUTTI_ERR_PEER_FAILED);
}

static enum tti_op_todo wanted_as(const tti_peer *peer, const tti_p2p_op *op)
{
    if (peer->route != TTI_ROUTE_FABRIC) return TTI_TODO_DATA;
    return op->u.transfer.moved > 0 && op->u.transfer.owes_first ? TTI_TODO_FIRST : TTI_TODO_BULK_SEND;
}

static void cts_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_cts *cts = packet;
    tti_p2p_op *op = tti_op_find_told(cts->send_id, cts->head.source);
    tti_peer *peer;
    if (op == NULL) {
        unawaited_wanted(cts);
        return;
    }
    if (op->todo != TTI_TODO_RTS && op->todo != TTI_TODO_CANCEL) return;
    if (tti_peer_get(op->peer, &peer) < 0) return;
    if (cts->from > op->room || cts->bytes > op->room - cts->from) {
        reject(&cts->head, "the wish for more data than a message has");
        return;
    }
    tti_op_go_on(op);
    op->u.transfer.remote_id = cts->recv_id;
    op->u.transfer.moved = (size_t)cts->from;
    op->u.transfer.accepted = (size_t)(cts->from + cts->bytes);
    op->u.transfer.posted = (size_t)cts->posted;
    op->u.transfer.reply = 0;
    tti_op_push_on(peer, op, wanted_as(peer, op));
}

/* A receive that has asked for all of the message has no need of it. */
static void first_arrived(const void *packet, size_t bytes)
{
    const tti_packet_sync *first = packet;
    const size_t here = bytes - sizeof *first;
    tti_p2p_op *op = tti_op_awaiting_first(first->head.source, first->send_id);
    if (op == NULL) {
        tti_arrival_add_first(first->head.source, first->send_id, first + 1, here);
        return;
    }
    if (here != op->u.transfer.awaits_first) {
        reject(&first->head, "another first part of a message than it announced");
        return;
    }
    tti_copy_long(op->buf, first + 1, here);
    op->u.transfer.awaits_first = 0;
    if (op->state == TTI_OP_AWAIT) tti_op_finish(op, op->error);
}

static void data_arrived(const void *packet, size_t bytes)
{
    const tti_packet_data *data = packet;
    const size_t here = bytes - sizeof *data;
    tti_p2p_op *op = tti_op_find(data->recv_id, data->head.source, TTI_OP_AWAIT);
    if (op == NULL || op->todo != TTI_TODO_CTS) return;
    if (here > op->u.transfer.accepted - op->u.transfer.moved) {
        reject(&data->head, "more data than was asked for");
        return;
    }
    tti_copy_long((char *)op->buf + op->u.transfer.moved, data + 1, here);
    op->u.transfer.moved += here;
    if (op->u.transfer.moved == op->u.transfer.accepted) tti_op_finish(op, op->error);
}

static void explain_refusal(const tti_p2p_op *op, int error)
{
    static const char gone[] = "it has freed the communicator or called tutti_finalize()";
    const bool left = error == TUTTI_ERR_STATE || error == TUTTI_ERR_PEER_FAILED;
    tti_fail(error, "rank %d of the job %s the message of %zu bytes, tag %d: %s%s", op->peer,
             left ? "will never receive" : "could not take", op->room, op->tag,
             left ? gone : tutti_strerror(error),
             error == TUTTI_ERR_PEER_FAILED ? " after the death of a rank" : "");
}

/* The receive for which the data is under way has failed; the fabric still holds the buffer. */
static void bulk_refused(uint32_t send_id, int source, int error)
{
    tti_p2p_op *op = tti_op_find(send_id, source, TTI_OP_BULK);
    if (op == NULL || op->todo != TTI_TODO_BULK_SEND || error >= 0) return;
    explain_refusal(op, error);
    op->u.transfer.reply = error;
    tti_fabric_bulk_give_up(tti_peers.fabric, &op->u.transfer.bulk);
}

static void stop_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_stop *stop = packet;
    tti_p2p_op *op = tti_op_find(stop->recv_id, stop->head.source, TTI_OP_BULK);
    if (op == NULL || op->todo != TTI_TODO_CTS || stop->error >= 0) return;
    if (op->u.transfer.reply == 0)
        op->u.transfer.reply =
            tti_fail(stop->error, "rank %d of the job could not send its message of %zu bytes, tag %d: %s",
                     op->peer, op->bytes, op->tag, tutti_strerror(stop->error));
    tti_fabric_bulk_cancel(tti_peers.fabric, &op->u.transfer.bulk);
}

static void fin_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_fin *fin = packet;
    tti_p2p_op *op = tti_op_find_told(fin->send_id, fin->head.source);
    if (op == NULL) {
        bulk_refused(fin->send_id, fin->head.source, fin->error);
        return;
    }
    const bool withdrawn = tti_op_is_taken_back(op);
    if (!withdrawn && op->todo != TTI_TODO_RTS && op->todo != TTI_TODO_EAGER_SYNC) return;
    if (fin->error < 0 && fin->error != TUTTI_ERR_CANCELLED) explain_refusal(op, fin->error);
    tti_op_finish(op, fin->error < 0 ? fin->error : 0);
}

static void withdraw_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_sync *sync = packet;
    tti_message_withdrawn(sync->head.source, sync->send_id);
}

static void cancel_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_sync *sync = packet;
    tti_message_cancelled(sync->head.source, sync->send_id);
}

static void help_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_help *help = packet;
    const tti_p2p_op *op = tti_op_find(help->send_id, help->head.source, TTI_OP_AWAIT);
    if (op == NULL || op->todo != TTI_TODO_RTS || help->bytes > op->room) return;
    tti_node_share_help(tti_peers.node, tti_peers.of[op->peer]->node_index, help->serial, help->address,
                        op->buf, (size_t)help->bytes);
}

static void lost_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_head *head = packet;
    const bool counts = tti_peer_failed(head->source) == 0;
    tti_peer *peer;
    if (tti_peer_get(head->source, &peer) == 0) peer->gave_up = counts;
    tti_peer_lost(NULL, head->source, TUTTI_ERR_PEER_FAILED);
    if (counts && head->tag == TTI_LOST_FOR_DEAD) tti_peer_cast_out();
}

static void left_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_head *head = packet;
    tti_peer_left(head->source);
    if (tti_lost_has_left(head->source)) tti_departure_note(head->source);
}

static void goodbye_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_head *head = packet;
    tti_departure_note(head->source);
}

static void am_arrived(const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    tti_am_fn *handle = am_handlers[head->tag];
    if (handle == NULL || !handle(head->source, head + 1, bytes - sizeof *head))
        reject(head, "an active message that no rank sends");
}

static void (*const handlers[TTI_PACKET_KINDS])(const void *packet, size_t bytes) = {
    [TTI_PACKET_EAGER] = eager_arrived,     [TTI_PACKET_EAGER_SYNC] = eager_sync_arrived,
    [TTI_PACKET_RTS] = rts_arrived,         [TTI_PACKET_CTS] = cts_arrived,
    [TTI_PACKET_DATA] = data_arrived,       [TTI_PACKET_FIN] = fin_arrived,
    [TTI_PACKET_AM] = am_arrived,           [TTI_PACKET_WITHDRAW] = withdraw_arrived,
    [TTI_PACKET_CANCEL] = cancel_arrived,   [TTI_PACKET_LOST] = lost_arrived,
    [TTI_PACKET_STOP] = stop_arrived,       [TTI_PACKET_HELP] = help_arrived,
    [TTI_PACKET_LEFT] = left_arrived,       [TTI_PACKET_FIRST] = first_arrived,
    [TTI_PACKET_GOODBYE] = goodbye_arrived,
};

static void fail_unsound(int rank, const tti_packet_head *head, size_t bytes)
{
    const bool whole = bytes >= sizeof *head;
    part(rank, tti_fail(TUTTI_ERR_PEER_FAILED,
                        "rank %d sent a packet of %zu bytes, kind %d, that no rank of this version of Tutti "
                        "sends; all that is under way with it ends",
                        rank, bytes, whole ? head->kind : -1));
}

TTI_HOT void tti_packet_arrived(int rank, unsigned way, const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    if (__builtin_expect(tti_packet_is_sound(packet, bytes, rank, way), 1))
        handlers[head->kind](packet, bytes);
    else
        fail_unsound(rank, head, bytes);
}
