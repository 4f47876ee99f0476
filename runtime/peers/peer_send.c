/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/peers/peer_send.h"
#include "runtime/fabric/fabric.h"
#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"

int tti_peer_send_by_fabric(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                            size_t body_bytes)
{
    const int sent = tti_fabric_send(tti_peers.fabric, peer->rank, head, head_bytes, body, body_bytes);
    return __builtin_expect(sent >= 0, 1) ? sent : tti_peer_part(peer->rank, sent);
}
