/* SPDX-License-Identifier: BSD-3-Clause */
/* Leaving: what was sent is delivered, and nobody is left to wait for what this rank alone knows. */
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"
#include "runtime/request/request.h"

#define FINALIZE "tutti_finalize"
/* After a death the survivors leave when they like, and what is under way to one that has left never
 * completes. */
#define DRAIN_AFTER_DEATH_NS TTI_NS_PER_SECOND
#define TELL_LEAVING_NS (TTI_NS_PER_SECOND / 4)

/* Others may go on for ever, and this rank with answers to them: what counts is what was sent before. */
typedef struct {
    bool forgotten;   /* the program left requests active: what belongs to them does not count */
    uint64_t packets; /* handed to the fabric by then */
} draining;

static draining begin_drain(bool forgotten)
{
    tti_p2p_engine.drains++;
    return (draining){forgotten, tti_peers.fabric != NULL ? tti_fabric_packets(tti_peers.fabric) : 0};
}

/* The one that is first in the queue is the oldest. */
static bool waits_for_room(const tti_peer *peer)
{
    return !tti_list_empty(&peer->queue) &&
           TTI_OWNER(peer->queue.next, tti_p2p_op, link)->drains != tti_p2p_engine.drains;
}

static bool queues_are_drained(void)
{
    for (tti_link *at = tti_peers.blocked.next; at != &tti_peers.blocked; at = at->next) {
        const tti_peer *peer = TTI_OWNER(at, tti_peer, blocked);
        if (peer->estranged || waits_for_room(peer)) return false;
    }
    return true;
}

static bool fabric_is_drained(const draining *d)
{
    return tti_peers.fabric == NULL || tti_fabric_idle(tti_peers.fabric, d->packets);
}

/* A long message, a collective or RMA that is under way belongs to a request that was given up: the peers
 * still need this rank. */
static bool has_drained(const void *argument)
{
    const draining *d = argument;
    const bool needed = tti_p2p_engine.ids.used > 0 || tti_requests_active.orphans > 0;
    return queues_are_drained() && tti_list_empty(&tti_progress_due.finished) && (d->forgotten || !needed) &&
           fabric_is_drained(d);
}

/* Whether nothing waits but active messages: news of a death, or answers, for a rank that has left by now and
 * does not miss them. */
static bool no_message_waits(const draining *d)
{
    for (tti_link *at = tti_peers.blocked.next; at != &tti_peers.blocked; at = at->next) {
        const tti_link *queue = &TTI_OWNER(at, tti_peer, blocked)->queue;
        for (tti_link *one = queue->next; one != queue; one = one->next)
            if (TTI_OWNER(one, tti_p2p_op, link)->todo != TTI_TODO_AM) return false;
    }
    return tti_p2p_engine.ids.used == 0 && fabric_is_drained(d);
}

/* For what is told before leaving; nobody waits for it for long. */
static void drain_news(void)
{
    const draining d = begin_drain(true);
    tti_wait_for(has_drained, &d, FINALIZE, TELL_LEAVING_NS);
}

int tti_p2p_drain(int64_t timeout_ns, bool forgotten)
{
    tti_arrivals_refuse_all();
    const draining d = begin_drain(forgotten);
    const bool deaths = tti_lost_any_dead();
    if (deaths && timeout_ns > DRAIN_AFTER_DEATH_NS) timeout_ns = DRAIN_AFTER_DEATH_NS;
    if (tti_wait_for(has_drained, &d, FINALIZE, timeout_ns) == 0 || (deaths && no_message_waits(&d)))
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
    const tti_packet_head head = tti_peers_plain_head(TTI_PACKET_LEFT, 0);
    if (tti_peer_get(rank, &peer) == 0) tti_peer_post(peer, &head, sizeof head);
}

/* Others do not wait for answers of this rank then. Beyond the node it tells those that have talked to it:
 * for others a connection would have to be made. */
static void tell_leaving(void)
{
    for (int rank = 0; rank < tti_peers.job->size; rank++) {
        const bool reached = tti_peers.of[rank] != NULL || tti_ways_node_index(rank) >= 0;
        if (reached && rank != tti_peers.job->rank && tti_peer_failed(rank) == 0) tell_one_leaving(rank);
    }
    drain_news();
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
    if (before_leaving == NULL || (tti_peers.fabric != NULL && !tti_lost_any_dead())) return;
    before_leaving();
    drain_news();
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
