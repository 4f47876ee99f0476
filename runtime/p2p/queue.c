/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that wait for room at their peers, in order. */
#include "runtime/node/mailbox.h"
#include "runtime/node/single_copy.h"
#include "runtime/p2p/engine.h"
#include "runtime/progress/progress.h"

/* One that lags behind takes a copy when it comes to it, and no answer is waited for; nor is one for which a
 * rank on the same core would have to run first. */
bool tti_peer_copies(const tti_peer *peer)
{
    tti_node *node = tti_peers.node;
    if (tti_wait_shares_now() || !tti_node_can_read(node, peer->node_index)) return true;
    return tti_node_is_behind(node, peer->node_index);
}

void tti_peer_queue(tti_peer *peer, tti_p2p_op *op)
{
    op->state = TTI_OP_QUEUED;
    op->drains = tti_p2p_engine.drains;
    /* Not "if the queue is empty": the peer stays listed until the next flush when its last op was withdrawn,
     * and while done() of its last op runs in a flush. */
    if (tti_list_empty(&peer->blocked)) tti_list_append(&tti_peers.blocked, &peer->blocked);
    tti_list_append(&peer->queue, &op->link);
}

/* Sends and receives belong to requests; packets of no request to nobody. */
static void drop_queue(tti_peer *peer)
{
    for (tti_link *at = peer->queue.next, *next; at != &peer->queue; at = next) {
        tti_p2p_op *op = TTI_OWNER(at, tti_p2p_op, link);
        next = at->next;
        if (op->todo == TTI_TODO_AM) op->done(op);
    }
}

void tti_peers_drop_queues(void)
{
    for (int rank = 0; rank < tti_peers.job->size; rank++)
        if (tti_peers.of[rank] != NULL) drop_queue(tti_peers.of[rank]);
}
