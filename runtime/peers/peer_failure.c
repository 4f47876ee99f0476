/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is lost: whoever finds out only notes it, and the next progress ends the operations
 * (p2p/lost_ends.c). Also here: which rank is told that it is lost. */
#include <pthread.h>
#include <stdio.h>

#include "runtime/base/clock.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/fabric/orphan_watch.h"
#include "runtime/node/mailbox.h"
#include "runtime/peers/packet.h"
#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"

/* Deaths told before p2p is open, kept until it is; of more, the launcher ends the job anyway. */
#define EARLY_MOST 64
/* How long is tried to tell a rank that it is lost, in ns. Shorter than what leaving allows after a death. */
#define TELL_NS (TTI_NS_PER_SECOND / 2)
/* Over the fabric it is told once more so much later: the first time may go with the connection that broke.
 */
#define TELL_AGAIN_NS (TTI_NS_PER_SECOND / 20)

/* Guards what follows and, while there is a waker, the transports against closing: news come on a foreign
 * thread.
 */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void (*waker)(void);
static void (*watchers[TTI_LOST_WATCHERS])(int job_rank, bool left);
static int early[EARLY_MOST], early_count;

/* The first report of a rank counts. Any thread. */
static void note(int rank, int code)
{
    signed char alive = 0;
    if (rank < 0 || rank >= tti_peers.job->size) return;
    if (atomic_compare_exchange_strong(&tti_peers.failed[rank], &alive, (signed char)code))
        atomic_fetch_add(&tti_peers.failures, 1);
}

void tti_peer_lost(void *context, int rank, int code)
{
    (void)context;
    note(rank, code < 0 ? code : TUTTI_ERR_PEER_FAILED);
}

static void estrange(tti_peer *peer)
{
    peer->estranged = true;
    peer->parted_ns = tti_clock_ns();
    peer->told_ns = 0;
    if (tti_list_empty(&peer->blocked)) tti_list_append(&tti_peers.blocked, &peer->blocked);
}

/* A timeout is one of the wait for its address: there is no way to it. */
static void part(int rank, int code)
{
    tti_peer *peer = tti_peers.of[rank];
    if (peer != NULL && tti_peer_failed(rank) == 0 && code != TUTTI_ERR_TIMEOUT) estrange(peer);
    tti_peer_lost(NULL, rank, code);
}

int tti_peer_part(int rank, int code)
{
    tti_cause_keep(rank);
    part(rank, code);
    return code;
}

void tti_lost_hold_for_dead(int job_rank)
{
    tti_peer *peer;
    if (tti_peer_failed(job_rank) != 0) return;
    if (tti_peer_get(job_rank, &peer) == 0) peer->held_for_dead = true;
    part(job_rank, TUTTI_ERR_PEER_FAILED);
}

/* What it held against others, whoever is right, it does not hand on: they have decided already. */
void tti_peer_cast_out(void)
{
    tti_peers.cast_out = true;
    for (int rank = 0; rank < tti_peers.job->size; rank++)
        if (rank != tti_peers.job->rank) note(rank, TUTTI_ERR_PEER_FAILED);
}

bool tti_lost_is_cast_out(void)
{
    return tti_peers.cast_out;
}

/* What it was told went with a broken connection, or it was not told, as the launcher said that it is dead.
 */
static void tell_again(int rank)
{
    tti_peer *peer;
    if (tti_peers.left[rank] || tti_peers.cast_out || tti_peer_get(rank, &peer) < 0) return;
    if (!peer->estranged) estrange(peer);
}

/* Over tcp the other end does not hear of it while it only receives. Who cannot open a connection cannot tell
 * the other end either, which may wait for ever, and all who wait for that: so it goes on with nobody, and
 * its own calls say why. */
void tti_peer_disconnected(void *context, int rank, int code)
{
    (void)context;
    if (code == TUTTI_ERR_STATE) {
        tell_again(rank);
        return;
    }
    tti_peer_part(rank, code);
    for (int other = 0; code == TUTTI_ERR_LIMIT && other < tti_peers.job->size; other++)
        if (other != tti_peers.job->rank) tti_peer_part(other, code);
}

void tti_lost_peer_died(int job_rank, void *context)
{
    (void)context;
    tti_fabric_death_told();
    pthread_mutex_lock(&guard);
    if (waker != NULL) {
        note(job_rank, TUTTI_ERR_PEER_FAILED);
        waker();
    } else if (early_count < EARLY_MOST) {
        early[early_count++] = job_rank;
    }
    pthread_mutex_unlock(&guard);
}

void tti_failure_accept(void (*wake)(void))
{
    pthread_mutex_lock(&guard);
    waker = wake;
    for (int i = 0; wake == NULL && i < TTI_LOST_WATCHERS; i++)
        watchers[i] = NULL;
    while (waker != NULL && early_count > 0)
        note(early[--early_count], TUTTI_ERR_PEER_FAILED);
    pthread_mutex_unlock(&guard);
}

void tti_lost_watch(void (*failed)(int job_rank, bool left))
{
    int place = 0;
    while (place < TTI_LOST_WATCHERS - 1 && watchers[place] != NULL)
        place++;
    watchers[place] = failed;
}

void tti_failure_tell_watchers(int rank)
{
    for (int i = 0; i < TTI_LOST_WATCHERS && watchers[i] != NULL; i++)
        watchers[i](rank, tti_peers.left[rank]);
}

bool tti_lost_is_dead(int job_rank)
{
    return tti_peer_failed(job_rank) != 0;
}

bool tti_lost_has_left(int job_rank)
{
    return tti_peers.left[job_rank];
}

bool tti_ways_is_peer(uint64_t job_rank)
{
    const tti_job *job = tti_peers.job;
    return job_rank < (uint64_t)job->size && job_rank != (uint64_t)job->rank;
}

bool tti_lost_any_dead(void)
{
    return atomic_load(&tti_peers.failures) > 0;
}

const char *tti_lost_text(int rank)
{
    static char with_cause[1024];
    const tti_peer *peer = tti_peers.of[rank];
    if (tti_peers.left[rank]) return "has called tutti_finalize() after the death of another";
    if (tti_peers.cast_out) return "goes on without this rank, which the others hold for dead; end it";
    if (peer != NULL && peer->gave_up)
        return "could not send or take a message of this rank and goes on without it; it was told why";
    const char *cause = tti_lost_cause(rank, tti_peer_failed(rank));
    if (cause == NULL) return "has died or cannot be reached";
    snprintf(with_cause, sizeof with_cause, "has died or cannot be reached: %s", cause);
    return with_cause;
}

int tti_peer_explain(int rank, int code)
{
    return tti_fail(code, "rank %d of the job %s", rank, tti_lost_text(rank));
}

void tti_peer_left(int rank)
{
    tti_peers.left[rank] = tti_peer_failed(rank) == 0;
    note(rank, TUTTI_ERR_PEER_FAILED);
}

/* Past the queue, which ends anyway, and with no memory of its own: that may be what is missing. One that
 * does not take it for a while is dead or does not look, and finds out for itself. */
bool tti_peer_tell(tti_peer *peer)
{
    const int verdict = peer->held_for_dead ? TTI_LOST_FOR_DEAD : TTI_LOST_STEP;
    const tti_packet_head head = tti_peers_plain_head(TTI_PACKET_LOST, verdict);
    const int64_t now = tti_clock_ns();
    const bool again = peer->told_ns != 0;
    if (again && now - peer->told_ns < TELL_AGAIN_NS) return false;
    const int sent = peer->route == TTI_ROUTE_NODE
                         ? tti_node_send(tti_peers.node, peer->node_index, &head, sizeof head, NULL, 0)
                         : tti_fabric_send_last(tti_peers.fabric, peer->rank, &head, sizeof head);
    if (sent == 1 && now - peer->parted_ns < TELL_NS) return false;
    if (sent == 0 && !again && peer->route == TTI_ROUTE_FABRIC) {
        peer->told_ns = now;
        return false;
    }
    peer->estranged = false;
    if (tti_peers.fabric != NULL) tti_fabric_peer_died(tti_peers.fabric, peer->rank);
    return true;
}

/* A member that is lost since it has `left`, or otherwise. */
static bool is_lost_member(const tutti_comm *comm, int rank, bool left)
{
    return tti_peer_failed(rank) != 0 && tti_peers.left[rank] == left && tti_comm_rank_of(comm, rank) >= 0;
}

/* The first such rank of the job; -1: none. */
static int first_of_all(const tutti_comm *comm, bool left)
{
    for (int rank = 0; rank < tti_peers.job->size; rank++)
        if (is_lost_member(comm, rank, left)) return rank;
    return -1;
}

/* The same among those that the sweep has found, which are in no order. */
static int first_of_found(const tutti_comm *comm, bool left)
{
    int first = -1;
    for (int i = 0; i < tti_peers.failures_found; i++) {
        const int rank = tti_peers.failed_ranks[i];
        if ((first < 0 || rank < first) && is_lost_member(comm, rank, left)) first = rank;
    }
    return first;
}

/* Behind a death communicators without the dead ask this for the rest of the job, in each call and each round
 * of a wait: so all ranks of the job are looked at only while the sweep is still to find one. */
TTI_APART static int find_member(const tutti_comm *comm, bool left)
{
    const bool all_found = atomic_load(&tti_peers.failures) == tti_peers.failures_found;
    const int first = all_found ? first_of_found(comm, left) : first_of_all(comm, left);
    return first < 0 ? -1 : tti_comm_rank_of(comm, first);
}

int tti_lost_dead_member(const tutti_comm *comm)
{
    return __builtin_expect(tti_lost_any_dead(), 0) ? find_member(comm, false) : -1;
}

int tti_lost_member(const tutti_comm *comm)
{
    if (__builtin_expect(!tti_lost_any_dead(), 1)) return -1;
    const int dead = find_member(comm, false);
    return dead >= 0 ? dead : find_member(comm, true);
}

static int check(const tutti_comm *comm, int lost)
{
    if (__builtin_expect(comm->revoked, 0)) return tti_comm_check_revoked(comm);
    if (__builtin_expect(lost < 0, 1)) return 0;
    const int rank = tti_comm_job_rank(comm, lost);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d (%d of the job) %s", lost, rank, tti_lost_text(rank));
}

int tti_lost_check_alive(const tutti_comm *comm)
{
    return check(comm, tti_lost_member(comm));
}

int tti_lost_check_parts(const tutti_comm *comm)
{
    return check(comm, tti_lost_dead_member(comm));
}

/* Whether the rank is among the first so many failed ones. */
static bool is_among(int rank, int many)
{
    for (int i = 0; i < many; i++)
        if (tti_peers.failed_ranks[i] == rank) return true;
    return false;
}

bool tti_failure_is_swept(int rank)
{
    return is_among(rank, tti_peers.failures_swept);
}

void tti_failure_find(void)
{
    for (int rank = 0; rank < tti_peers.job->size; rank++)
        if (tti_peer_failed(rank) != 0 && !is_among(rank, tti_peers.failures_found))
            tti_peers.failed_ranks[tti_peers.failures_found++] = rank;
}
