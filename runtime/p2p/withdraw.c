/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that end before they are received: a sender that takes back what it offered, and a receiver that
 * will never take a message whose sender waits.
 *
 * The data of a long message on a node is read by the receiver from the sender's memory at a time of its own
 * choice. A sender that gives up must therefore ask, and may use its memory again only when the receiver has
 * answered, or is gone: FIN, in order behind the read if that was faster. */
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/packet.h"

void tti_op_withdraw(tti_p2p_op *op)
{
    tti_p2p_engine.withdrawals++;
    const int step = tti_op_push(tti_p2p_engine.peers[op->peer], op, TTI_TODO_WITHDRAW);
    if (step < 0) tti_op_finish_later(op, step);
}

static bool waits_for_nobody(const tti_p2p_op *op)
{
    const tti_engine *e = &tti_p2p_engine;
    return op->todo == TTI_TODO_WITHDRAW && tti_node_has_left(e->node, e->peers[op->peer]->node_index);
}

/* By index, because done() may number new operations. */
int tti_withdrawals_look(void)
{
    const tti_ids *ids = &tti_p2p_engine.ids;
    int count = 0;
    for (uint32_t place = 1; place < ids->count; place++) {
        tti_p2p_op *op = ids->entries[place].owner;
        if (op == NULL || !waits_for_nobody(op)) continue;
        tti_op_finish(op, TUTTI_ERR_CANCELLED);
        count++;
    }
    return count;
}

void tti_sender_refuse(int rank, uint32_t send_id, int error)
{
    tti_peer *peer;
    const tti_packet_fin fin = {
        {TTI_PACKET_VERSION, TTI_PACKET_FIN, 0, tti_p2p_engine.job->rank, 0, 0}, send_id, error};
    int code = tti_peer_get(rank, &peer);
    if (code == 0 && tti_peer_failed(rank) == 0) code = tti_peer_post(peer, &fin, sizeof fin);
    if (code < 0) tti_peer_lost(NULL, rank, code); /* it would wait for the answer for ever */
}

/* A receive that asked for the data to be sent. */
static tti_p2p_op *find_asker(int rank, uint32_t send_id)
{
    const tti_ids *ids = &tti_p2p_engine.ids;
    for (uint32_t place = 1; place < ids->count; place++) {
        tti_p2p_op *op = ids->entries[place].owner;
        if (op != NULL && op->peer == rank && op->todo == TTI_TODO_CTS && op->u.transfer.remote_id == send_id)
            return op;
    }
    return NULL;
}

/* A message that no receive has taken stays, so that the receive for it ends with an error and does not wait.
 */
void tti_message_withdrawn(int rank, uint32_t send_id)
{
    tti_arrival *arrival = tti_arrival_offered(rank, send_id);
    tti_p2p_op *asker = arrival == NULL ? find_asker(rank, send_id) : NULL;
    if (arrival != NULL) arrival->message.kind = TTI_MESSAGE_WITHDRAWN;
    tti_sender_refuse(rank, send_id, TUTTI_ERR_CANCELLED);
    if (asker != NULL) tti_op_finish(asker, TUTTI_ERR_PEER_FAILED);
}
