/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends with a peer that is lost, or has left the node: the operations that need it. */
#include "runtime/base/status.h"
#include "runtime/node/arena.h"
#include "runtime/p2p/arrival.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

static void (*departed)(int job_rank);

static void end_queue(tti_peer *peer, int code)
{
    while (peer != NULL && !tti_list_empty(&peer->queue)) {
        tti_p2p_op *op = TTI_OWNER(peer->queue.next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        if (op->todo == TTI_TODO_CTS && peer->route == TTI_ROUTE_FABRIC) {
            op->state = TTI_OP_BULK;
            tti_fabric_bulk_cancel(tti_peers.fabric, &op->u.transfer.bulk);
        } else {
            tti_op_finish(op, code);
        }
    }
}

/* A bulk transfer ends when the fabric lets go of its buffer. */
static void end_numbered(int rank, int code)
{
    tti_p2p_op *op;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;) {
        if (op->peer != rank) continue;
        if (op->state == TTI_OP_AWAIT)
            tti_op_finish(op, code);
        else if (op->state == TTI_OP_BULK && op->todo == TTI_TODO_CTS)
            tti_fabric_bulk_cancel(tti_peers.fabric, &op->u.transfer.bulk);
    }
}

void tti_failure_watch_departures(void (*gone)(int job_rank))
{
    departed = gone;
}

int tti_departure_fail(int rank)
{
    return tti_fail(tti_message_refusal(),
                    "rank %d of the job will never receive the message: it has called tutti_finalize()",
                    rank);
}

int tti_departure_fail_receive(int rank)
{
    return tti_fail(TUTTI_ERR_STATE,
                    "rank %d of the job has called tutti_finalize(): no message of it can come any more",
                    rank);
}

typedef struct {
    int rank;
    bool departed; /* and is not lost */
    tti_link victims;
} search;

/* Who leaves does so for another's death, which ends them if that was a member. If it was none, the members
 * that stay may still send, and the receives go on until none stays. */
static bool ends_any_source(const tutti_comm *comm, int rank)
{
    if (tti_comm_rank_of(comm, rank) < 0) return false;
    return !tti_peers.left[rank] || comm->acknowledged > 0 || tti_lost_is_deserted(comm);
}

static void pick_victim(tti_match_receive *receive, void *context)
{
    search *s = context;
    tti_p2p_op *op = TTI_OWNER(receive, tti_p2p_op, u.posted);
    const bool any = !s->departed && op->peer == TUTTI_ANY_SOURCE && ends_any_source(op->comm, s->rank);
    if (any || op->peer == s->rank) tti_list_append(&s->victims, &op->link);
}

/* Over at once, for those that the done() of another victim abandons. */
static void find_posted(search *s)
{
    tti_list_init(&s->victims);
    tti_match_each_posted(&tti_p2p_engine.match, pick_victim, s);
    for (tti_link *at = s->victims.next; at != &s->victims; at = at->next) {
        tti_p2p_op *op = TTI_OWNER(at, tti_p2p_op, link);
        tti_match_unpost(&tti_p2p_engine.match, &op->u.posted);
        op->state = TTI_OP_OVER;
    }
}

static void end_found(search *s, int code)
{
    while (!tti_list_empty(&s->victims)) {
        tti_p2p_op *op = TTI_OWNER(s->victims.next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        op->source = tti_comm_rank_of(op->comm, s->rank);
        op->peer = s->rank;
        tti_op_finish(op, code);
    }
}

static void end_posted(int rank, int code)
{
    search s = {.rank = rank};
    find_posted(&s);
    end_found(&s, code);
}

/* Those from a lost rank end by the sweep. */
void tti_departure_note(int rank)
{
    search s = {.rank = rank, .departed = true};
    if (tti_peers.departed[rank]) return;
    tti_peers.departed[rank] = true;
    tti_peers.departures++;
    if (tti_peer_failed(rank) != 0) return;
    find_posted(&s);
    if (!tti_list_empty(&s.victims)) end_found(&s, tti_departure_fail_receive(rank));
}

bool tti_p2p_is_hopeless(const tutti_comm *comm)
{
    return !tti_lock_needed && tti_lost_is_left_alone(comm);
}

int tti_p2p_fail_hopeless(const tutti_comm *comm)
{
    return tti_fail(TUTTI_ERR_STATE,
                    "all other ranks of the communicator are gone, rank %d of the job by "
                    "tutti_finalize(): no message can come any more",
                    tti_comm_job_rank(comm, tti_lost_departed_member(comm)));
}

bool tti_p2p_despair(tti_p2p_op *op)
{
    if (tti_peers.departures == 0 || op->state != TTI_OP_POSTED || op->peer != TUTTI_ANY_SOURCE) return false;
    if (!tti_p2p_is_hopeless(op->comm)) return false;
    tti_match_unpost(&tti_p2p_engine.match, &op->u.posted);
    op->source = tti_lost_departed_member(op->comm);
    tti_op_finish(op, tti_p2p_fail_hopeless(op->comm));
    return true;
}

static bool is_awaited(const tti_peer *peer)
{
    const tti_p2p_op *op;
    if (!tti_list_empty(&peer->queue)) return true;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;)
        if (op->peer == peer->rank && op->state == TTI_OP_AWAIT) return true;
    return false;
}

/* Who has left since then may have sent what has not been taken yet: the next look is for those. */
void tti_departures_end(void)
{
    for (int i = 0; i < tti_peers.job->local_size; i++) {
        const int rank = tti_peers.job->local_ranks[i];
        if (!tti_peers.departing[i]) continue;
        if (departed != NULL) departed(rank);
        tti_departure_note(rank);
        if (tti_peers.of[rank] == NULL || !is_awaited(tti_peers.of[rank])) continue;
        const int code = tti_departure_fail(rank);
        end_queue(tti_peers.of[rank], code);
        end_numbered(rank, code);
    }
}

static void forget_memory(int rank)
{
    const int place = tti_ways_node_index(rank);
    if (place >= 0) tti_node_mem_forget(tti_peers.node, place);
}

static bool is_estranged(int rank)
{
    const tti_peer *peer = tti_peers.of[rank];
    return peer != NULL && peer->estranged;
}

void tti_failure_sweep(void)
{
    while (tti_peers.failures_swept < tti_peers.failures_found) {
        const int rank = tti_peers.failed_ranks[tti_peers.failures_swept++], code = tti_peer_failed(rank);
        if (tti_peers.fabric != NULL && is_estranged(rank))
            tti_fabric_part(tti_peers.fabric, rank);
        else if (tti_peers.fabric != NULL)
            tti_fabric_peer_died(tti_peers.fabric, rank);
        end_queue(tti_peers.of[rank], code);
        end_numbered(rank, code);
        end_posted(rank, code);
        forget_memory(rank);
        tti_failure_tell_watchers(rank);
    }
}
