/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "runtime/base/hot.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/packet.h"
#include "runtime/p2p/progress.h"

/* Messages to oneself up to this are copied when no receive is there yet. */
#define SELF_EAGER_MOST 65536
/* From here on the copy that is saved counts in the time of a message over the fabric: over net 5 % at 16
 * KiB, 7 % at 64 KiB, nothing at 8 KiB. */
#define IN_PLACE_LEAST 16384

/* So much goes unasked while a long message is announced and asked for, so that the way is not empty for that
 * long. It is copied at both ends, so no more than that takes: over net 64 KiB cost 8 to 12 % of 256 and 512
 * KiB more. Providers with a protocol of their own do better without. */
#define FIRST_MOST 16384

int tti_peers_open(void)
{
    tti_engine *e = &tti_p2p_engine;
    const size_t size = (size_t)e->job->size;
    e->peers = calloc(size, sizeof(tti_peer *));
    e->failed = calloc(size, sizeof *e->failed);
    e->departing = calloc(size, sizeof *e->departing);
    e->left = calloc(size, sizeof *e->left);
    e->certain = calloc(size, sizeof *e->certain);
    e->failed_ranks = calloc(size, sizeof *e->failed_ranks);
    tti_list_init(&e->blocked);
    tti_list_init(&e->finished);
    if (e->peers == NULL || e->failed == NULL || e->departing == NULL || e->left == NULL ||
        e->certain == NULL || e->failed_ranks == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the table of %d ranks", e->job->size);
    return 0;
}

/* What still waits for room when the rank leaves. Sends and receives belong to requests; packets of no
 * request to nobody. */
static void free_peer(tti_peer *peer)
{
    if (peer == NULL) return;
    for (tti_link *at = peer->queue.next, *next; at != &peer->queue; at = next) {
        tti_p2p_op *op = TTI_OWNER(at, tti_p2p_op, link);
        next = at->next;
        if (op->todo == TTI_TODO_AM) op->done(op);
    }
    free(peer);
}

void tti_peers_close(void)
{
    tti_engine *e = &tti_p2p_engine;
    for (int rank = 0; e->peers != NULL && rank < e->job->size; rank++)
        free_peer(e->peers[rank]);
    free(e->peers);
    free((void *)e->failed);
    free(e->departing);
    free(e->left);
    free((void *)e->certain);
    free(e->failed_ranks);
    e->peers = NULL;
    e->failed = NULL;
    e->departing = NULL;
    e->left = NULL;
    e->certain = NULL;
    e->failed_ranks = NULL;
}

/* Place of `rank` among the ranks of this node, or -1. */
static int find_local(const tti_job *job, int rank)
{
    int low = 0, high = job->local_size - 1;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        if (job->local_ranks[middle] == rank) return middle;
        if (job->local_ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int tti_p2p_node_index(int world_rank)
{
    return tti_p2p_engine.node != NULL ? find_local(tti_p2p_engine.job, world_rank) : -1;
}

bool tti_p2p_is_gone(int world_rank)
{
    const int index = tti_p2p_node_index(world_rank);
    return tti_p2p_is_dead(world_rank) || (index >= 0 && tti_node_has_left(tti_p2p_engine.node, index));
}

bool tti_p2p_has_come(int world_rank)
{
    const int index = tti_p2p_node_index(world_rank);
    return index < 0 || tti_node_has_come(tti_p2p_engine.node, index);
}

static void set_route(tti_peer *peer, enum tti_route route, size_t packet_most, int64_t eager_most)
{
    const size_t room = packet_most - sizeof(tti_packet_sync);
    peer->route = route;
    peer->packet_most = packet_most;
    peer->eager_most = (uint64_t)eager_most < room ? (size_t)eager_most : room;
    peer->eager_sure = peer->copied_most = peer->eager_most;
    peer->in_place_least = SIZE_MAX;
}

/* What is longer than eager_sure a node peer that waits has sooner otherwise, as a rule by fetching it. Up to
 * it a send never waits for its receiver: programs count on that, as the MPIs have it. */
static void set_node_route(tti_peer *peer, const tti_crossings *crossings)
{
    const int64_t most = tti_option_value(TTI_OPTION_EAGER_NODE);
    set_route(peer, TTI_ROUTE_NODE, TTI_NODE_PACKET_MAX,
              most == TTI_OPTION_AUTO ? (int64_t)crossings->eager_most : most);
    if (peer->eager_sure > crossings->eager_sure) peer->eager_sure = crossings->eager_sure;
}

static void set_fabric_route(tti_peer *peer, const tti_fabric_limits *limits)
{
    const size_t most = limits->has_in_place ? limits->in_place_max : limits->packet_max;
    set_route(peer, TTI_ROUTE_FABRIC, most, tti_option_value(TTI_OPTION_EAGER_FABRIC));
    if (!limits->has_in_place) return;
    const size_t room = limits->packet_max - sizeof(tti_packet_sync);
    peer->in_place_least = IN_PLACE_LEAST;
    peer->copied_most = room;
    peer->first_most = FIRST_MOST < room ? FIRST_MOST : room;
}

static int choose_route(tti_peer *peer)
{
    const tti_engine *e = &tti_p2p_engine;
    peer->node_index = tti_p2p_node_index(peer->rank);
    if (peer->rank == e->job->rank) {
        set_route(peer, TTI_ROUTE_SELF, SIZE_MAX, SELF_EAGER_MOST);
    } else if (peer->node_index >= 0) {
        set_node_route(peer, tti_node_crossings(e->node));
    } else if (e->fabric != NULL) {
        set_fabric_route(peer, tti_fabric_limits_of(e->fabric));
    } else {
        return tti_fail(TUTTI_ERR_UNSUPPORTED,
                        "rank %d is on another node and no fabric is open; unset TUTTI_TRANSPORT=node",
                        peer->rank);
    }
    return 0;
}

int tti_peer_make(int rank, tti_peer **made)
{
    tti_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the first message to rank %d", rank);
    peer->rank = rank;
    tti_list_init(&peer->queue);
    tti_list_init(&peer->blocked);
    const int code = choose_route(peer);
    if (code < 0) {
        free(peer);
        return code;
    }
    *made = tti_p2p_engine.peers[rank] = peer;
    return 0;
}

int tti_peer_explain(int rank, int code)
{
    return tti_fail(code, "rank %d of the job %s", rank, tti_failure_text(rank));
}

int tti_peer_send_by_fabric(const tti_peer *peer, const void *head, size_t head_bytes, const void *body,
                            size_t body_bytes)
{
    const int sent = tti_fabric_send(tti_p2p_engine.fabric, peer->rank, head, head_bytes, body, body_bytes);
    return __builtin_expect(sent >= 0, 1) ? sent : tti_peer_part(peer->rank, sent);
}

/* One that lags behind takes a copy when it comes to it, and no answer is waited for; nor is one for which a
 * rank on the same core would have to run first. */
bool tti_peer_copies(const tti_peer *peer)
{
    tti_node *node = tti_p2p_engine.node;
    if (tti_wait_is_crowded() || !tti_node_can_read(node, peer->node_index)) return true;
    return tti_node_is_behind(node, peer->node_index);
}

void tti_peer_queue(tti_peer *peer, tti_p2p_op *op)
{
    op->state = TTI_OP_QUEUED;
    /* Not "if the queue is empty": the peer stays listed until the next flush when its last op was withdrawn,
     * and while done() of its last op runs in a flush. */
    if (tti_list_empty(&peer->blocked)) tti_list_append(&tti_p2p_engine.blocked, &peer->blocked);
    tti_list_append(&peer->queue, &op->link);
}

/* One op's turn. Returns true if the next may have its own. */
static bool flush_first(tti_peer *peer)
{
    tti_p2p_op *op = TTI_OWNER(peer->queue.next, tti_p2p_op, link);
    const int turn = tti_op_step(peer, op);
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
    tti_link *blocked = &tti_p2p_engine.blocked;
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
