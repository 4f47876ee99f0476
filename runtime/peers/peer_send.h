/* SPDX-License-Identifier: BSD-3-Clause */
/* A packet to a peer, by the way that there is to it. */
#ifndef TTI_PEERS_PEER_SEND_H
#define TTI_PEERS_PEER_SEND_H

#include "runtime/peers/peers.h"

int tti_peer_send_by_fabric(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                            size_t body_bytes);
/* Hands a packet to the transport: 0, 1 (no room now), or an error, after which the peer is lost: what should
 * have come after this packet must not come without it. */
static inline int tti_peer_send(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                                size_t body_bytes)
{
    if (peer->route != TTI_ROUTE_NODE)
        return tti_peer_send_by_fabric(peer, head, head_bytes, body, body_bytes);
    return tti_node_send(tti_peers.node, peer->node_index, head, head_bytes, body, body_bytes);
}

#endif
