/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is lost: whoever finds out only notes it, and the next progress ends the operations (lost_ends.c).
 * And who is told. */
#include <pthread.h>

#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/progress.h"

/* Deaths told before p2p is open, kept until it is; of more, the launcher ends the job anyway. */
#define EARLY_MOST 64
/* How long is tried to tell a rank that it is lost, in ns. Shorter than what leaving allows after a death. */
#define TELL_NS (TTI_NS_PER_SECOND / 2)
/* Over the fabric it is told once more so much later: the first time may go with the connection that broke.
 */
#define TELL_AGAIN_NS (TTI_NS_PER_SECOND / 20)

/* Guards what follows and, while `accepting`, the transports against closing: news come on a foreign thread.
 */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static bool accepting;
static void (*watchers[TTI_P2P_WATCHERS])(int world_rank, bool left);
static int early[EARLY_MOST], early_count;

/* The first report of a rank counts. Any thread. */
static void note(int rank, int code)
{
    tti_engine *e = &tti_p2p_engine;
    signed char alive = 0;
    if (rank < 0 || rank >= e->job->size) return;
    if (atomic_compare_exchange_strong(&e->failed[rank], &alive, (signed char)code))
        atomic_fetch_add(&e->failures, 1);
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
    if (tti_list_empty(&peer->blocked)) tti_list_append(&tti_p2p_engine.blocked, &peer->blocked);
}

/* A timeout is one of the wait for its address: there is no way to it. */
int tti_peer_part(int rank, int code)
{
    tti_peer *peer = tti_p2p_engine.peers[rank];
    if (peer != NULL && tti_peer_failed(rank) == 0 && code != TUTTI_ERR_TIMEOUT) estrange(peer);
    tti_peer_lost(NULL, rank, code);
    return code;
}

void tti_p2p_hold_for_dead(int world_rank)
{
    tti_peer *peer;
    if (tti_peer_failed(world_rank) != 0) return;
    if (tti_peer_get(world_rank, &peer) == 0) peer->held_for_dead = true;
    tti_peer_part(world_rank, TUTTI_ERR_PEER_FAILED);
}

/* What it held against others, whoever is right, it does not hand on: they have decided already. */
void tti_peer_cast_out(void)
{
    tti_engine *e = &tti_p2p_engine;
    e->cast_out = true;
    for (int rank = 0; rank < e->job->size; rank++)
        if (rank != e->job->rank) note(rank, TUTTI_ERR_PEER_FAILED);
}

bool tti_p2p_is_cast_out(void)
{
    return tti_p2p_engine.cast_out;
}

/* What it was told went with a broken connection, or it was not told, as the launcher said that it is dead.
 */
static void tell_again(int rank)
{
    const tti_engine *e = &tti_p2p_engine;
    tti_peer *peer;
    if (e->left[rank] || e->cast_out || tti_peer_get(rank, &peer) < 0) return;
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
    for (int other = 0; code == TUTTI_ERR_SYSTEM && other < tti_p2p_engine.job->size; other++)
        if (other != tti_p2p_engine.job->rank) tti_peer_part(other, code);
}

void tti_p2p_peer_died(int world_rank, void *context)
{
    (void)context;
    tti_fabric_death_told();
    pthread_mutex_lock(&guard);
    if (accepting) {
        note(world_rank, TUTTI_ERR_PEER_FAILED);
        tti_wait_interrupt();
    } else if (early_count < EARLY_MOST) {
        early[early_count++] = world_rank;
    }
    pthread_mutex_unlock(&guard);
}

void tti_failure_accept(bool accept)
{
    pthread_mutex_lock(&guard);
    accepting = accept;
    for (int i = 0; !accept && i < TTI_P2P_WATCHERS; i++)
        watchers[i] = NULL;
    while (accepting && early_count > 0)
        note(early[--early_count], TUTTI_ERR_PEER_FAILED);
    pthread_mutex_unlock(&guard);
}

void tti_p2p_watch(void (*failed)(int world_rank, bool left))
{
    int place = 0;
    while (place < TTI_P2P_WATCHERS - 1 && watchers[place] != NULL)
        place++;
    watchers[place] = failed;
}

void tti_failure_tell_watchers(int rank)
{
    for (int i = 0; i < TTI_P2P_WATCHERS && watchers[i] != NULL; i++)
        watchers[i](rank, tti_p2p_engine.left[rank]);
}

bool tti_p2p_is_dead(int world_rank)
{
    return tti_peer_failed(world_rank) != 0;
}

bool tti_p2p_is_peer(uint64_t world_rank)
{
    const tti_job *job = tti_p2p_engine.job;
    return world_rank < (uint64_t)job->size && world_rank != (uint64_t)job->rank;
}

bool tti_p2p_any_dead(void)
{
    return atomic_load(&tti_p2p_engine.failures) > 0;
}

const char *tti_failure_text(int rank)
{
    const tti_peer *peer = tti_p2p_engine.peers[rank];
    if (tti_p2p_engine.left[rank]) return "has called tutti_finalize() after the death of another";
    if (tti_p2p_engine.cast_out) return "goes on without this rank, which the others hold for dead; end it";
    if (peer != NULL && peer->gave_up)
        return "could not send or take a message of this rank and goes on without it; it was told why";
    return "has died or cannot be reached";
}

void tti_peer_left(int rank)
{
    tti_p2p_engine.left[rank] = tti_peer_failed(rank) == 0;
    note(rank, TUTTI_ERR_PEER_FAILED);
}

/* Past the queue, which ends anyway, and with no memory of its own: that may be what is missing. One that
 * does not take it for a while is dead or does not look, and finds out for itself. */
bool tti_peer_tell(tti_peer *peer)
{
    const tti_engine *e = &tti_p2p_engine;
    const int verdict = peer->held_for_dead ? TTI_LOST_FOR_DEAD : TTI_LOST_STEP;
    const tti_packet_head head = {TTI_PACKET_VERSION, TTI_PACKET_LOST, 0, e->job->rank, 0, verdict};
    const int64_t now = tti_clock_ns();
    const bool again = peer->told_ns != 0;
    if (again && now - peer->told_ns < TELL_AGAIN_NS) return false;
    const int sent = peer->route == TTI_ROUTE_NODE
                         ? tti_node_send(e->node, peer->node_index, &head, sizeof head, NULL, 0)
                         : tti_fabric_send_last(e->fabric, peer->rank, &head, sizeof head);
    if (sent == 1 && now - peer->parted_ns < TELL_NS) return false;
    if (sent == 0 && !again && peer->route == TTI_ROUTE_FABRIC) {
        peer->told_ns = now;
        return false;
    }
    peer->estranged = false;
    if (e->fabric != NULL) tti_fabric_peer_died(e->fabric, peer->rank);
    return true;
}

int tti_failure_tell(int rank, enum tti_packet_kind kind)
{
    tti_peer *peer;
    const tti_packet_head head = {TTI_PACKET_VERSION, kind, 0, tti_p2p_engine.job->rank, 0, 0};
    const int code = tti_peer_get(rank, &peer);
    return code < 0 ? code : tti_peer_post(peer, &head, sizeof head);
}

/* Beyond the node to those that have talked to this rank: for others a connection would have to be made. */
void tti_failure_tell_leaving(void)
{
    const tti_engine *e = &tti_p2p_engine;
    for (int rank = 0; rank < e->job->size; rank++) {
        const bool reached = e->peers[rank] != NULL || tti_p2p_node_index(rank) >= 0;
        if (reached && rank != e->job->rank && tti_peer_failed(rank) == 0)
            tti_failure_tell(rank, TTI_PACKET_LEFT);
    }
}

int tti_p2p_lost_member(const tutti_comm *comm)
{
    const tti_engine *e = &tti_p2p_engine;
    if (__builtin_expect(atomic_load_explicit(&e->failures, memory_order_relaxed) == 0, 1)) return -1;
    for (int rank = 0; rank < e->job->size; rank++) {
        if (tti_peer_failed(rank) != 0 && tti_comm_rank_of(comm, rank) >= 0)
            return tti_comm_rank_of(comm, rank);
    }
    return -1;
}

int tti_p2p_check_alive(const tutti_comm *comm)
{
    if (__builtin_expect(comm->revoked, 0)) return tti_p2p_check_revoked(comm);
    const int lost = tti_p2p_lost_member(comm);
    if (__builtin_expect(lost < 0, 1)) return 0;
    const int rank = tti_comm_world(comm, lost);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d (%d of the job) %s", lost, rank, tti_failure_text(rank));
}
