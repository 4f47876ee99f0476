/* SPDX-License-Identifier: BSD-3-Clause */
/* The turns of operations that had to wait, when there may be room again. */
#include "runtime/p2p/engine.h"
#include "runtime/p2p/packet_check.h"

/* What waits for this rank itself are active messages: they go to the same handlers as those of others, and
 * from here, so that none runs within the call that sends. */
static int take_turn(tti_peer *peer, tti_p2p_op *op)
{
    if (peer->route != TTI_ROUTE_SELF) return tti_op_step(peer, op);
    tti_packet_arrived(tti_peers.job->rank, TTI_WAY_SELF, op->buf, op->room);
    return TTI_TURN_OVER;
}

/* One op's turn. Returns true if the next may have its own. */
static bool flush_first(tti_peer *peer)
{
    tti_p2p_op *op = TTI_OWNER(peer->queue.next, tti_p2p_op, link);
    const int turn = take_turn(peer, op);
    if (turn == TTI_TURN_NO_ROOM) return false;
    tti_list_remove(&op->link);
    if (turn == TTI_TURN_OVER)
        tti_op_finish(op, op->error);
    else if (turn < 0)
        tti_op_finish(op, turn);
    return true;
}

int tti_peers_flush(void)
{
    int count = 0;
    tti_link *blocked = &tti_peers.blocked;
    for (tti_link *at = blocked->next, *next; at != blocked; at = next) {
        tti_peer *peer = TTI_OWNER(at, tti_peer, blocked);
        while (!tti_list_empty(&peer->queue) && flush_first(peer))
            count++;
        const bool told = !peer->estranged || tti_peer_tell(peer);
        next = at->next;
        if (tti_list_empty(&peer->queue) && told) tti_list_remove(at);
    }
    return count;
}
