/* SPDX-License-Identifier: BSD-3-Clause */
/* Where ranks leave together, one that has called tutti_finalize() stays until the others have come, who may
 * wait for a message of it: they hear that none follows. The packet comes behind all that was sent before. */
#include "runtime/p2p/engine.h"

static bool said;

static void say_to(tti_peer *peer)
{
    const tti_packet_head head = tti_peers_plain_head(TTI_PACKET_GOODBYE, 0);
    if (peer->route == TTI_ROUTE_SELF || peer->told_goodbye || tti_peer_failed(peer->rank) != 0) return;
    peer->told_goodbye = tti_peer_post(peer, &head, sizeof head) == 0; /* without memory it waits on */
}

void tti_goodbye_say(void)
{
    tti_peer *peer;
    said = true;
    for (int rank = 0; rank < tti_peers.job->size; rank++) {
        const bool reached = tti_peers.of[rank] != NULL || tti_ways_node_index(rank) >= 0;
        if (reached && tti_peer_get(rank, &peer) == 0) say_to(peer);
    }
}

/* Until the others are told it is enough that it is reached then. */
void tti_goodbye_answer(int rank)
{
    tti_peer *peer;
    if (tti_peer_get(rank, &peer) == 0 && said) say_to(peer);
}
