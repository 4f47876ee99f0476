/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets as they come from the transports. */
#include <string.h>

#include "runtime/base/hot.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/packet.h"

static tti_am_fn *am_handlers[TTI_AM_KINDS];

void tti_am_register(int kind, tti_am_fn *handle)
{
    am_handlers[kind] = handle;
}

static void message_arrived(const tti_incoming *message)
{
    tti_match *match = &tti_p2p_engine.match;
    tti_match_receive *receive = tti_match_arrive(match, message->context, message->source, message->tag);
    if (__builtin_expect(receive != NULL, 1)) {
        tti_p2p_op *op = TTI_OWNER(receive, tti_p2p_op, u.posted);
        if (tti_deliver(op, message) == TTI_P2P_DONE) tti_op_finish(op, op->error);
        return;
    }
    if (!tti_arrival_is_wanted(message->context)) {
        tti_message_refuse(message);
        return;
    }
    if (tti_arrival_keep(message) != NULL) return;
    /* The message is lost, so this rank and its sender can no longer be in step. */
    const int code = tti_fail(TUTTI_ERR_NO_MEMORY,
                              "no memory to keep a message of %zu bytes from rank %d, tag %d, which no "
                              "receive was posted for; all that is under way with that rank ends",
                              message->bytes, message->source, message->tag);
    tti_peer_part(message->source, code);
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
    message_arrived(&message);
}

static void eager_sync_arrived(const void *packet, size_t bytes)
{
    const tti_packet_sync *sync = packet;
    tti_incoming message = describe(&sync->head, TTI_MESSAGE_WHOLE);
    message.send_id = sync->send_id;
    message.bytes = bytes - sizeof *sync;
    message.payload = sync + 1;
    message_arrived(&message);
}

static void rts_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_rts *rts = packet;
    tti_incoming message = describe(&rts->head, TTI_MESSAGE_OFFERED);
    message.send_id = rts->send_id;
    message.bytes = rts->bytes;
    message.address = rts->address;
    message_arrived(&message);
}

static void cts_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_cts *cts = packet;
    tti_p2p_op *op = tti_op_find_told(cts->send_id, cts->head.source);
    tti_peer *peer;
    if (op == NULL || (op->todo != TTI_TODO_RTS && op->todo != TTI_TODO_CANCEL)) return;
    if (tti_peer_get(op->peer, &peer) < 0) return;
    tti_op_go_on(op);
    op->u.transfer.remote_id = cts->recv_id;
    op->u.transfer.accepted = cts->bytes < op->room ? (size_t)cts->bytes : op->room;
    op->u.transfer.moved = 0;
    op->u.transfer.reply = 0;
    tti_op_push_on(peer, op, peer->route == TTI_ROUTE_FABRIC ? TTI_TODO_BULK_SEND : TTI_TODO_DATA);
}

static void data_arrived(const void *packet, size_t bytes)
{
    const tti_packet_data *data = packet;
    const size_t here = bytes - sizeof *data;
    tti_p2p_op *op = tti_op_find(data->recv_id, data->head.source, TTI_OP_AWAIT);
    if (op == NULL || op->todo != TTI_TODO_CTS) return;
    if (here > op->u.transfer.accepted - op->u.transfer.moved) return;
    memcpy((char *)op->buf + op->u.transfer.moved, data + 1, here);
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
    tti_fabric_bulk_give_up(tti_p2p_engine.fabric, &op->u.transfer.bulk);
}

static void stop_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_stop *stop = packet;
    tti_p2p_op *op = tti_op_find(stop->recv_id, stop->head.source, TTI_OP_BULK);
    if (op == NULL || op->todo != TTI_TODO_CTS || stop->error >= 0) return;
    op->u.transfer.reply =
        tti_fail(stop->error, "rank %d of the job could not send its message of %zu bytes, tag %d: %s",
                 op->peer, op->bytes, op->tag, tutti_strerror(stop->error));
    tti_fabric_bulk_cancel(tti_p2p_engine.fabric, &op->u.transfer.bulk);
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
    tti_node_share_help(tti_p2p_engine.node, tti_p2p_engine.peers[op->peer]->node_index, help->serial,
                        help->address, op->buf, (size_t)help->bytes);
}

static void lost_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_head *head = packet;
    tti_peer *peer;
    if (tti_peer_get(head->source, &peer) == 0) peer->gave_up = tti_peer_failed(head->source) == 0;
    tti_peer_lost(NULL, head->source, TUTTI_ERR_PEER_FAILED);
}

static void left_arrived(const void *packet, size_t bytes)
{
    (void)bytes;
    const tti_packet_head *head = packet;
    tti_peer_left(head->source);
}

static void am_arrived(const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    if (head->tag < 0 || head->tag >= TTI_AM_KINDS || am_handlers[head->tag] == NULL) return;
    am_handlers[head->tag](head->source, head + 1, bytes - sizeof *head);
}

static const struct {
    size_t least;
    void (*handle)(const void *packet, size_t bytes);
} kinds[TTI_PACKET_KINDS] = {
    [TTI_PACKET_EAGER] = {sizeof(tti_packet_head), eager_arrived},
    [TTI_PACKET_EAGER_SYNC] = {sizeof(tti_packet_sync), eager_sync_arrived},
    [TTI_PACKET_RTS] = {sizeof(tti_packet_rts), rts_arrived},
    [TTI_PACKET_CTS] = {sizeof(tti_packet_cts), cts_arrived},
    [TTI_PACKET_DATA] = {sizeof(tti_packet_data), data_arrived},
    [TTI_PACKET_FIN] = {sizeof(tti_packet_fin), fin_arrived},
    [TTI_PACKET_AM] = {sizeof(tti_packet_head), am_arrived},
    [TTI_PACKET_WITHDRAW] = {sizeof(tti_packet_sync), withdraw_arrived},
    [TTI_PACKET_CANCEL] = {sizeof(tti_packet_sync), cancel_arrived},
    [TTI_PACKET_LOST] = {sizeof(tti_packet_head), lost_arrived},
    [TTI_PACKET_HELP] = {sizeof(tti_packet_help), help_arrived},
    [TTI_PACKET_STOP] = {sizeof(tti_packet_stop), stop_arrived},
    [TTI_PACKET_LEFT] = {sizeof(tti_packet_head), left_arrived},
};

static bool well_formed(const tti_packet_head *head, size_t bytes)
{
    return bytes >= sizeof *head && head->version == TTI_PACKET_VERSION && head->kind > 0 &&
           head->kind < TTI_PACKET_KINDS && bytes >= kinds[head->kind].least && head->source >= 0 &&
           head->source < tti_p2p_engine.job->size;
}

TTI_HOT void tti_packet_arrived(void *context, const void *packet, size_t bytes)
{
    (void)context;
    const tti_packet_head *head = packet;
    if (__builtin_expect(well_formed(head, bytes), 1))
        kinds[head->kind].handle(packet, bytes);
    else
        tti_log(TTI_LOG_WARN, "dropped a packet of %zu bytes that is not of this version of Tutti", bytes);
}

void tti_packet_from_fabric(void *context, int rank, const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    if (bytes >= sizeof *head && head->source != rank)
        tti_log(TTI_LOG_WARN, "dropped a packet of rank %d that says it is of rank %d", rank, head->source);
    else
        tti_packet_arrived(context, packet, bytes);
}
