/* SPDX-License-Identifier: BSD-3-Clause */
/* Packets that belong to no operation of a caller: active messages and answers. */
#include <stdlib.h>
#include <string.h>

#include "runtime/base/status.h"
#include "runtime/p2p/engine.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peer_send.h"

/* A packet that waits for room: the op and what it sends in one piece. */
typedef struct {
    tti_p2p_op op;
    tti_packet_head head;
    char payload[];
} packet_copy;

static void free_copy(tti_p2p_op *op)
{
    free(op);
}

/* The packet in up to three pieces. */
static int queue_copy(tti_peer *peer, const tti_packet_head *packet, const void *head, size_t head_bytes,
                      const void *body, size_t body_bytes)
{
    packet_copy *copy = malloc(sizeof *copy + head_bytes + body_bytes);
    if (copy == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY,
                        "no memory for a packet of %zu bytes to rank %d, which has no room now",
                        sizeof *packet + head_bytes + body_bytes, peer->rank);
    copy->op = (tti_p2p_op){.done = free_copy,
                            .buf = &copy->head,
                            .room = sizeof copy->head + head_bytes + body_bytes,
                            .peer = peer->rank,
                            .todo = TTI_TODO_AM};
    copy->head = *packet;
    if (head_bytes > 0) memcpy(copy->payload, head, head_bytes);
    if (body_bytes > 0) memcpy(copy->payload + head_bytes, body, body_bytes);
    tti_peer_queue(peer, &copy->op);
    return 0;
}

int tti_peer_post(tti_peer *peer, const void *packet, size_t bytes)
{
    const tti_packet_head *head = packet;
    if (tti_list_empty(&peer->queue)) {
        const int code = tti_peer_send(peer, packet, bytes, NULL, 0);
        if (code <= 0) return code;
    }
    return queue_copy(peer, head, head + 1, bytes - sizeof *head, NULL, 0);
}

/* Head and payload in one piece, as the transports take no more than two. */
static int send_am_at_once(const tti_peer *peer, const tti_packet_head *packet, const void *head,
                           size_t head_bytes, const void *body, size_t body_bytes)
{
    struct {
        tti_packet_head head;
        char payload[128];
    } joined;
    if (body_bytes == 0) return tti_peer_send(peer, packet, sizeof *packet, head, head_bytes);
    if (head_bytes > sizeof joined.payload) return TTI_TURN_NO_ROOM;
    joined.head = *packet;
    if (head_bytes > 0) memcpy(joined.payload, head, head_bytes);
    return tti_peer_send(peer, &joined, sizeof *packet + head_bytes, body, body_bytes);
}

int tti_am_send(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                size_t body_bytes)
{
    tti_peer *peer;
    int code = tti_peer_get(job_rank, &peer);
    if (code < 0) return code;
    code = tti_peer_check(job_rank);
    if (code < 0) return code;
    const tti_packet_head packet = tti_peers_plain_head(TTI_PACKET_AM, kind);
    if (peer->route != TTI_ROUTE_SELF && tti_list_empty(&peer->queue)) {
        code = send_am_at_once(peer, &packet, head, head_bytes, body, body_bytes);
        if (code <= 0) return code;
    }
    return queue_copy(peer, &packet, head, head_bytes, body, body_bytes);
}

void tti_am_tell(int job_rank, enum tti_am_kind kind, const void *head, size_t head_bytes, const void *body,
                 size_t body_bytes)
{
    if (tti_am_send(job_rank, kind, head, head_bytes, body, body_bytes) < 0) tti_lost_hold_for_dead(job_rank);
}
