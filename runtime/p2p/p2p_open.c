/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing of the ways to peers. */
#include "runtime/base/hot.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"
#include "runtime/node/decline.h"
#include "runtime/node/view.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/packet_check.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"
#include "runtime/progress/watchdog.h"

enum { TRANSPORT_AUTO, TRANSPORT_FABRIC, TRANSPORT_NODE };

/* Said at the start, at every rank, and not at the first message between two hosts. */
static int check_transport(const tti_job *job)
{
    if (tti_option_value(TTI_OPTION_TRANSPORT) != TRANSPORT_NODE || job->nodes < 2) return 0;
    return tti_fail(
        TUTTI_ERR_OPTION,
        "TUTTI_TRANSPORT=node: the %d ranks of this job are on %d nodes, which shared memory does not "
        "join; set it to auto or fabric, or start all ranks on one node",
        job->size, job->nodes);
}

/* Ranks of a node that cannot share memory go by fabric, all of them, if the user leaves the choice. */
static int open_node(const tti_job *job)
{
    const int64_t transport = tti_option_value(TTI_OPTION_TRANSPORT);
    if (job->local_size < 2) return 0;
    if (transport == TRANSPORT_FABRIC) return job->rank < tti_job_world(job) ? tti_node_decline(job) : 0;
    const int code = tti_node_open(job, &tti_peers.node);
    if (code != TUTTI_ERR_UNSUPPORTED || transport == TRANSPORT_NODE) return code;
    tti_log(TTI_LOG_INFO, "messages to the ranks of this node go by fabric: %s", tutti_error_detail());
    return 0;
}

/* A job on one node loads no libfabric unless the user asked for it, or the node has no shared memory. */
static bool wants_fabric(const tti_job *job)
{
    const int64_t transport = tti_option_value(TTI_OPTION_TRANSPORT);
    const bool apart = job->local_size > 1 && tti_peers.node == NULL;
    if (transport == TRANSPORT_NODE) return false;
    return transport == TRANSPORT_FABRIC || apart || job->nodes > 1 ||
           tti_option_text(TTI_OPTION_PROVIDER)[0] != '\0';
}

static int check_limits(const tti_fabric_limits *limits)
{
    const size_t least = TTI_AM_MAX + sizeof(tti_packet_head);
    if (limits->packet_max < least)
        return tti_fail(TUTTI_ERR_UNSUPPORTED,
                        "provider %s carries packets of %zu bytes, %zu are needed; choose another by "
                        "TUTTI_PROVIDER",
                        limits->provider, limits->packet_max, least);
    if (limits->tag_bits < TTI_IDS_PLACE_BITS)
        return tti_fail(TUTTI_ERR_UNSUPPORTED,
                        "provider %s has tags of %d bits, %d are needed; choose another by TUTTI_PROVIDER",
                        limits->provider, limits->tag_bits, TTI_IDS_PLACE_BITS);
    return 0;
}

static void fabric_packet(void *context, int rank, const void *packet, size_t bytes)
{
    (void)context;
    tti_packet_arrived(rank, TTI_WAY_FABRIC, packet, bytes);
}

TTI_HOT static void node_packet(void *context, int peer, const void *packet, size_t bytes)
{
    (void)context;
    tti_packet_arrived(tti_peers.job->local_ranks[peer], TTI_WAY_NODE, packet, bytes);
}

static const tti_protocols protocols = {.packet = node_packet,
                                        .flush = tti_peers_flush,
                                        .finish = tti_ops_flush,
                                        .sweep = tti_failure_sweep,
                                        .departed = tti_departures_end,
                                        .mark_withdrawn = tti_withdrawals_mark,
                                        .end_withdrawn = tti_withdrawals_end};

static void died_silently(int rank)
{
    tti_lost_peer_died(rank, NULL);
}

static int open_fabric(const tti_job *job)
{
    tti_engine *e = &tti_p2p_engine;
    if (!wants_fabric(job)) return 0;
    tti_fabric_on_silence(died_silently);
    const int code = tti_fabric_open(job, fabric_packet, tti_peer_disconnected, NULL, &tti_peers.fabric);
    if (code < 0) return code;
    const tti_fabric_limits *limits = tti_fabric_limits_of(tti_peers.fabric);
    e->bulk_mask = limits->tag_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << limits->tag_bits) - 1;
    e->bulk_done = tti_bulk_done;
    return check_limits(limits);
}

static void context_gone(uint64_t context)
{
    tti_arrivals_purge(context);
}

static int send_death_news(int job_rank, const void *payload, size_t bytes)
{
    return tti_am_send(job_rank, TTI_AM_DEATH, payload, bytes, NULL, 0);
}

static int send_where(int job_rank, const void *payload, size_t bytes)
{
    return tti_am_send(job_rank, TTI_AM_WHERE, payload, bytes, NULL, 0);
}

static void close_transports(void)
{
    if (tti_peers.fabric != NULL) tti_fabric_close(tti_peers.fabric);
    tti_peers.fabric = NULL;
    if (tti_peers.node != NULL) tti_node_close(tti_peers.node);
    tti_peers.node = NULL;
}

/* Nobody is lost any more, nor why. */
static void close_peers(void)
{
    tti_causes_forget();
    tti_peers_close();
}

int tti_p2p_open(const tti_job *job)
{
    tti_engine *e = &tti_p2p_engine;
    tti_progress_open(&protocols);
    tti_arrivals_open();
    int code = tti_peers_open(job);
    if (code < 0) goto free_peers;
    code = tti_match_open(&e->match);
    if (code < 0) goto free_peers;
    code = check_transport(job);
    if (code == 0) code = open_node(job);
    if (code == 0) code = open_fabric(job);
    if (code == 0) code = tti_wait_open(tti_job_local_world(job));
    if (code < 0) goto close_all;
    tti_comm_watch(context_gone);
    tti_am_register(TTI_AM_WHERE, tti_where_heard);
    tti_watchdog_open(send_where);
    tti_am_register(TTI_AM_DEATH, tti_death_news_heard);
    tti_failure_accept(tti_sleep_interrupt);
    tti_death_news_open(send_death_news);
    return 0;
close_all:
    close_transports();
    tti_match_close(&e->match);
free_peers:
    close_peers();
    return code;
}

void tti_p2p_close(void)
{
    tti_death_news_close();
    tti_failure_accept(NULL);
    tti_watchdog_close();
    tti_comm_watch(NULL);
    tti_p2p_watch_leaving(NULL, NULL);
    tti_wait_close();
    close_transports();
    tti_arrivals_close();
    tti_match_close(&tti_p2p_engine.match);
    tti_ids_close(&tti_p2p_engine.ids);
    tti_peers_drop_queues();
    close_peers();
}
