/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that end before they are received: a sender that takes back what it offered, and a receiver that
 * will never take a message whose sender waits.
 *
 * The data of a long message on a node is read by the receiver from the sender's memory at a time of its own
 * choice. A sender that gives up must therefore ask, and may use its memory again only when the receiver has
 * answered, or is gone: FIN, in order behind the read if that was faster.
 *
 * A program that cancels a send does not give up the message if it is taken: of CANCEL and the answer that
 * says so (FIN, CTS) which cross each other, the answer counts, and the receiver ignores CANCEL. */
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/peers/packet.h"
#include "runtime/progress/progress.h"

void tti_op_take_back(tti_p2p_op *op, enum tti_op_todo how)
{
    tti_progress_due.withdrawals++;
    op->u.transfer.hopeless = false;
    const int step = tti_op_push(tti_peers.of[op->peer], op, how);
    if (step < 0) tti_op_finish_later(op, step);
}

void tti_op_go_on(tti_p2p_op *op)
{
    if (!tti_op_is_taken_back(op)) return;
    tti_progress_due.withdrawals--;
    if (op->state == TTI_OP_QUEUED) tti_list_remove(&op->link);
}

static bool waits_for_nobody(const tti_p2p_op *op)
{
    return tti_op_is_taken_back(op) && tti_peer_has_left(tti_peers.of[op->peer]);
}

bool tti_withdrawals_mark(void)
{
    tti_p2p_op *op;
    bool any = false;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;)
        if (waits_for_nobody(op)) op->u.transfer.hopeless = any = true;
    return any;
}

int tti_withdrawals_end(void)
{
    tti_p2p_op *op;
    int count = 0;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;) {
        if (!tti_op_is_taken_back(op) || !op->u.transfer.hopeless) continue;
        tti_op_finish(op, TUTTI_ERR_CANCELLED);
        count++;
    }
    return count;
}

/* To one that waits for it, and would for ever. */
static void end_waiting(int rank, const void *packet, size_t bytes)
{
    tti_peer *peer;
    int code = tti_peer_get(rank, &peer);
    if (code == 0 && tti_peer_failed(rank) == 0) code = tti_peer_post(peer, packet, bytes);
    if (code < 0) tti_peer_lost(NULL, rank, code);
}

void tti_sender_refuse(int rank, uint32_t send_id, int error)
{
    const tti_packet_fin fin = {tti_peers_plain_head(TTI_PACKET_FIN, 0), send_id, error};
    end_waiting(rank, &fin, sizeof fin);
}

void tti_receiver_stop(int rank, uint32_t recv_id, int error)
{
    const tti_packet_stop stop = {tti_peers_plain_head(TTI_PACKET_STOP, 0), recv_id, error};
    end_waiting(rank, &stop, sizeof stop);
}

static bool asks(const tti_p2p_op *op)
{
    return op->todo == TTI_TODO_CTS || op->todo == TTI_TODO_BULK_RECV;
}

/* A receive that asks for the data to be sent, or is about to. */
static tti_p2p_op *find_asker(int rank, uint32_t send_id)
{
    tti_p2p_op *op;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;)
        if (op->peer == rank && asks(op) && op->u.transfer.remote_id == send_id) return op;
    return NULL;
}

/* As a rule it is the one of that peer's last RTS. */
tti_p2p_op *tti_op_awaiting_first(int peer, uint32_t send_id)
{
    const tti_engine *e = &tti_p2p_engine;
    if (tti_peers.of[peer] == NULL) return NULL;
    tti_p2p_op *op = tti_ids_find(&e->ids, tti_peers.of[peer]->first_for);
    const bool last = op != NULL && op->peer == peer && asks(op) && op->u.transfer.remote_id == send_id;
    if (!last) op = find_asker(peer, send_id);
    return op != NULL && op->u.transfer.awaits_first > 0 ? op : NULL;
}

int tti_message_fail_withdrawn(int rank)
{
    return tti_fail(TUTTI_ERR_PEER_FAILED,
                    "rank %d of the job gave the message up after the death of another rank", rank);
}

/* A message that no receive has taken stays, so that the receive for it ends with an error and does not wait.
 */
void tti_message_withdrawn(int rank, uint32_t send_id)
{
    tti_arrival *arrival = tti_arrival_awaited(rank, send_id);
    tti_p2p_op *asker = arrival == NULL ? find_asker(rank, send_id) : NULL;
    if (arrival != NULL) arrival->message.kind = TTI_MESSAGE_WITHDRAWN;
    tti_sender_refuse(rank, send_id, TUTTI_ERR_CANCELLED);
    if (asker != NULL) tti_op_finish(asker, tti_message_fail_withdrawn(rank));
}

/* One that is taken is answered by the receive. If none is found it has been: another answer finds nobody. */
void tti_message_cancelled(int rank, uint32_t send_id)
{
    tti_arrival *arrival = tti_arrival_awaited(rank, send_id);
    if (arrival != NULL ? arrival->taken : find_asker(rank, send_id) != NULL) return;
    if (arrival != NULL) {
        tti_arrival_take(arrival);
        tti_arrival_free(arrival);
    }
    tti_sender_refuse(rank, send_id, TUTTI_ERR_CANCELLED);
}
