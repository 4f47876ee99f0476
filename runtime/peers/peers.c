/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/node/mailbox.h"
#include "runtime/node/processors.h"
#include "runtime/node/view.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peers.h"

/* Messages to oneself up to this are copied when no receive is there yet. */
#define SELF_EAGER_MOST 65536
/* From here on the copy that is saved counts in the time of a message over the fabric: over net 5 % at 16
 * KiB, 7 % at 64 KiB, nothing at 8 KiB. */
#define IN_PLACE_LEAST 16384

/* So much goes unasked while a long message is announced and asked for, so that the way is not empty for that
 * long. It is copied at both ends, so no more than that takes: over net 64 KiB cost 8 to 12 % of 256 and 512
 * KiB more. Providers with a protocol of their own do better without. */
#define FIRST_MOST 16384

tti_peers_table tti_peers;

int tti_peers_open(const tti_job *job)
{
    tti_peers_table *t = &tti_peers;
    const size_t size = (size_t)job->size;
    *t = (tti_peers_table){.job = job};
    t->of = calloc(size, sizeof(tti_peer *));
    t->failed = calloc(size, sizeof *t->failed);
    t->departing = calloc(size, sizeof *t->departing);
    t->left = calloc(size, sizeof *t->left);
    t->out_of_step = calloc(size, sizeof *t->out_of_step);
    t->departed = calloc(size, sizeof *t->departed);
    t->certain = calloc(size, sizeof *t->certain);
    t->failed_ranks = calloc(size, sizeof *t->failed_ranks);
    tti_list_init(&t->blocked);
    if (t->of == NULL || t->failed == NULL || t->departing == NULL || t->left == NULL ||
        t->out_of_step == NULL || t->departed == NULL || t->certain == NULL || t->failed_ranks == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the table of %d ranks", job->size);
    return 0;
}

void tti_peers_close(void)
{
    tti_peers_table *t = &tti_peers;
    for (int rank = 0; t->of != NULL && rank < t->job->size; rank++)
        free(t->of[rank]);
    free(t->of);
    free((void *)t->failed);
    free(t->departing);
    free(t->left);
    free(t->out_of_step);
    free(t->departed);
    free((void *)t->certain);
    free(t->failed_ranks);
    t->of = NULL;
    t->failed = NULL;
    t->departing = NULL;
    t->left = NULL;
    t->out_of_step = NULL;
    t->departed = NULL;
    t->certain = NULL;
    t->failed_ranks = NULL;
}

void tti_departures_note(void)
{
    for (int i = 0; i < tti_peers.job->local_size; i++)
        tti_peers.departing[i] = tti_node_has_left(tti_peers.node, i);
}

bool tti_lost_any_departed(void)
{
    return tti_peers.departures > 0;
}

bool tti_lost_has_departed(int job_rank)
{
    return tti_peers.departures > 0 && tti_peers.departed[job_rank];
}

tti_node *tti_ways_node(void)
{
    return tti_peers.node;
}

tti_fabric *tti_ways_fabric(void)
{
    return tti_peers.fabric;
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

int tti_ways_node_index(int job_rank)
{
    return tti_peers.node != NULL ? find_local(tti_peers.job, job_rank) : -1;
}

bool tti_lost_is_gone(int job_rank)
{
    const int index = tti_ways_node_index(job_rank);
    return tti_peer_failed(job_rank) != 0 || (index >= 0 && tti_node_has_left(tti_peers.node, index));
}

bool tti_ways_has_come(int job_rank)
{
    const int index = tti_ways_node_index(job_rank);
    if (index >= 0) return tti_node_has_come(tti_peers.node, index);
    return tti_peers.fabric == NULL || tti_fabric_has_come(tti_peers.fabric, job_rank);
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
    peer->node_index = tti_ways_node_index(peer->rank);
    if (peer->rank == tti_peers.job->rank) {
        set_route(peer, TTI_ROUTE_SELF, SIZE_MAX, SELF_EAGER_MOST);
    } else if (peer->node_index >= 0) {
        set_node_route(peer, tti_node_crossings(tti_peers.node));
    } else if (tti_peers.fabric != NULL) {
        set_fabric_route(peer, tti_fabric_limits_of(tti_peers.fabric));
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
    *made = tti_peers.of[rank] = peer;
    return 0;
}
