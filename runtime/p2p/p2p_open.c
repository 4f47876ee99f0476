/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening and closing of the ways to peers. */
#include <stdlib.h>

#include "runtime/base/clock.h"
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
#include "runtime/request/request.h"

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
    tti_peers_close();
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
    tti_peers_close();
}

/* A long message, a collective or RMA that is under way belongs to a request that was given up: the peers
 * still need this rank. */
static bool has_drained(const void *argument)
{
    const bool *forgotten = argument;
    const tti_engine *e = &tti_p2p_engine;
    const bool needed = e->ids.used > 0 || tti_requests_active.orphans > 0;
    return tti_list_empty(&tti_peers.blocked) && tti_list_empty(&tti_progress_due.finished) &&
           (*forgotten || !needed) && (tti_peers.fabric == NULL || tti_fabric_idle(tti_peers.fabric));
}

/* After a death the survivors leave when they like, and what is under way to one that has left never
 * completes. */
#define DRAIN_AFTER_DEATH_NS TTI_NS_PER_SECOND
#define FINALIZE "tutti_finalize"
#define TELL_LEAVING_NS (TTI_NS_PER_SECOND / 4)

/* Whether nothing waits but active messages: news of a death, or answers, for a rank that has left by now and
 * does not miss them. */
static bool no_message_waits(void)
{
    const tti_engine *e = &tti_p2p_engine;
    for (tti_link *at = tti_peers.blocked.next; at != &tti_peers.blocked; at = at->next) {
        const tti_link *queue = &TTI_OWNER(at, tti_peer, blocked)->queue;
        for (tti_link *one = queue->next; one != queue; one = one->next)
            if (TTI_OWNER(one, tti_p2p_op, link)->todo != TTI_TODO_AM) return false;
    }
    return e->ids.used == 0 && (tti_peers.fabric == NULL || tti_fabric_idle(tti_peers.fabric));
}

int tti_p2p_drain(int64_t timeout_ns, bool forgotten)
{
    tti_arrivals_refuse_all();
    const bool deaths = tti_lost_any_dead();
    if (deaths && timeout_ns > DRAIN_AFTER_DEATH_NS) timeout_ns = DRAIN_AFTER_DEATH_NS;
    if (tti_wait_for(has_drained, &forgotten, FINALIZE, timeout_ns) == 0 || (deaths && no_message_waits()))
        return 0;
    return tti_fail(TUTTI_ERR_TIMEOUT,
                    "messages sent were not all taken by their receivers within %lld s of tutti_finalize() "
                    "(%s) and are lost",
                    (long long)(timeout_ns / TTI_NS_PER_SECOND),
                    deaths ? "which waits no longer where a rank has died" : "TUTTI_FINALIZE_TIMEOUT");
}

static bool may_leave(const void *argument)
{
    (void)argument;
    return tti_lost_any_dead() || tti_pmi_farewell_test();
}

static void tell_one_leaving(int rank)
{
    tti_peer *peer;
    const tti_packet_head head = {TTI_PACKET_VERSION, TTI_PACKET_LEFT, 0, tti_peers.job->rank, 0, 0};
    if (tti_peer_get(rank, &peer) == 0) tti_peer_post(peer, &head, sizeof head);
}

/* Others do not wait for answers of this rank then. Beyond the node it tells those that have talked to it:
 * for others a connection would have to be made. */
static void tell_leaving(void)
{
    const bool rest_forgotten = true;
    for (int rank = 0; rank < tti_peers.job->size; rank++) {
        const bool reached = tti_peers.of[rank] != NULL || tti_ways_node_index(rank) >= 0;
        if (reached && rank != tti_peers.job->rank && tti_peer_failed(rank) == 0) tell_one_leaving(rank);
    }
    tti_wait_for(has_drained, &rest_forgotten, FINALIZE, TELL_LEAVING_NS);
}

static void (*before_leaving)(void);

void tti_p2p_watch_leaving(void (*departed)(int job_rank), void (*leave)(void))
{
    tti_failure_watch_departures(departed);
    before_leaving = leave;
}

/* Where all ranks come here before one goes on, nobody waits for what this one knows; else some may. */
static void tell_before_leaving(void)
{
    const bool rest_forgotten = true;
    if (before_leaving == NULL || (tti_peers.fabric != NULL && !tti_lost_any_dead())) return;
    before_leaving();
    tti_wait_for(has_drained, &rest_forgotten, FINALIZE, TELL_LEAVING_NS);
}

/* A connection that is closed with data unread at this end is reset, and what the other end has not read yet
 * is lost with it. So ranks that have connections leave together: then every rank has received all that it
 * wanted. So do others where the launcher wants it. */
static void leave_together(int64_t timeout_ns)
{
    if (tti_peers.fabric == NULL && !tti_peers.job->leaves_together) return;
    if (!tti_lost_any_dead()) tti_goodbye_say();
    if (tti_pmi_farewell_begin(tti_sleep_interrupt) != 0) return;
    if (tti_wait_for(may_leave, NULL, FINALIZE, timeout_ns) != 0)
        tti_log(TTI_LOG_INFO, "other ranks have not come to tutti_finalize() within %lld s; leaving",
                (long long)(timeout_ns / TTI_NS_PER_SECOND));
    tti_pmi_farewell_end();
}

void tti_p2p_take_leave(int64_t timeout_ns)
{
    leave_together(timeout_ns);
    tell_before_leaving();
    if (tti_lost_any_dead()) tell_leaving();
}
