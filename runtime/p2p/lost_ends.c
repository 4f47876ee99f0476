/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends with a peer that is lost, or has left the node: the operations that need it. */
#include "runtime/base/status.h"
#include "runtime/p2p/arrival.h"
#include "runtime/p2p/progress.h"

static void (*departed)(int world_rank);

static void end_queue(tti_peer *peer, int code)
{
    while (peer != NULL && !tti_list_empty(&peer->queue)) {
        tti_p2p_op *op = TTI_OWNER(peer->queue.next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        if (op->todo == TTI_TODO_CTS && peer->route == TTI_ROUTE_FABRIC) {
            op->state = TTI_OP_BULK;
            tti_fabric_bulk_cancel(tti_p2p_engine.fabric, &op->u.transfer.bulk);
        } else {
            tti_op_finish(op, code);
        }
    }
}

/* By index, because done() may number new operations. A bulk transfer ends when the fabric lets go of its
 * buffer. */
static void end_numbered(int rank, int code)
{
    tti_ids *ids = &tti_p2p_engine.ids;
    for (uint32_t place = 1; place < ids->count; place++) { /* place 0 is never used, nor set */
        tti_p2p_op *op = ids->entries[place].owner;
        if (op == NULL || op->peer != rank) continue;
        if (op->state == TTI_OP_AWAIT)
            tti_op_finish(op, code);
        else if (op->state == TTI_OP_BULK && op->todo == TTI_TODO_CTS)
            tti_fabric_bulk_cancel(tti_p2p_engine.fabric, &op->u.transfer.bulk);
    }
}

void tti_failure_watch_departures(void (*gone)(int world_rank))
{
    departed = gone;
}

int tti_departure_fail(int rank)
{
    return tti_fail(tti_message_refusal(),
                    "rank %d of the job will never receive the message: it has called tutti_finalize()",
                    rank);
}

static bool is_awaited(const tti_peer *peer)
{
    const tti_ids *ids = &tti_p2p_engine.ids;
    bool awaited = !tti_list_empty(&peer->queue);
    for (uint32_t place = 1; place < ids->count && !awaited; place++) {
        const tti_p2p_op *op = ids->entries[place].owner;
        awaited = op != NULL && op->peer == peer->rank && op->state == TTI_OP_AWAIT;
    }
    return awaited;
}

void tti_departures_note(void)
{
    const tti_engine *e = &tti_p2p_engine;
    for (int i = 0; i < e->job->local_size; i++)
        e->departing[i] = tti_node_has_left(e->node, i);
}

/* Who has left since then may have sent what has not been taken yet: the next look is for those. */
void tti_departures_end(void)
{
    tti_engine *e = &tti_p2p_engine;
    for (int i = 0; i < e->job->local_size; i++) {
        const int rank = e->job->local_ranks[i];
        if (!e->departing[i]) continue;
        if (departed != NULL) departed(rank);
        if (e->peers[rank] == NULL || !is_awaited(e->peers[rank])) continue;
        const int code = tti_departure_fail(rank);
        end_queue(e->peers[rank], code);
        end_numbered(rank, code);
    }
}

typedef struct {
    int rank;
    tti_link victims;
} search;

/* Who leaves does so for another's death, which ends them if that was a member. If it was none, the members
 * that stay may still send, and the receives go on until none stays. */
static bool ends_any_source(const tutti_comm *comm, int rank)
{
    if (tti_comm_rank_of(comm, rank) < 0) return false;
    return !tti_p2p_engine.left[rank] || comm->acknowledged > 0 || tti_p2p_is_deserted(comm);
}

static void pick_victim(tti_match_receive *receive, void *context)
{
    search *s = context;
    tti_p2p_op *op = TTI_OWNER(receive, tti_p2p_op, u.posted);
    const bool any = op->peer == TUTTI_ANY_SOURCE && ends_any_source(op->comm, s->rank);
    if (any || op->peer == s->rank) tti_list_append(&s->victims, &op->link);
}

static void end_posted(int rank, int code)
{
    search s = {.rank = rank};
    tti_list_init(&s.victims);
    tti_match_each_posted(&tti_p2p_engine.match, pick_victim, &s);
    /* Over at once, for those that the done() of another victim abandons. */
    for (tti_link *at = s.victims.next; at != &s.victims; at = at->next) {
        tti_p2p_op *op = TTI_OWNER(at, tti_p2p_op, link);
        tti_match_unpost(&tti_p2p_engine.match, &op->u.posted);
        op->state = TTI_OP_OVER;
    }
    while (!tti_list_empty(&s.victims)) {
        tti_p2p_op *op = TTI_OWNER(s.victims.next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        op->source = tti_comm_rank_of(op->comm, rank);
        tti_op_finish(op, code);
    }
}

/* Whether the rank is among the first so many failed ones. */
static bool is_among(int rank, int many)
{
    for (int i = 0; i < many; i++)
        if (tti_p2p_engine.failed_ranks[i] == rank) return true;
    return false;
}

bool tti_failure_is_swept(int rank)
{
    return is_among(rank, tti_p2p_engine.failures_swept);
}

static bool is_estranged(int rank)
{
    const tti_peer *peer = tti_p2p_engine.peers[rank];
    return peer != NULL && peer->estranged;
}

void tti_failure_find(void)
{
    tti_engine *e = &tti_p2p_engine;
    for (int rank = 0; rank < e->job->size; rank++)
        if (tti_peer_failed(rank) != 0 && !is_among(rank, e->failures_found))
            e->failed_ranks[e->failures_found++] = rank;
}

void tti_failure_sweep(void)
{
    tti_engine *e = &tti_p2p_engine;
    while (e->failures_swept < e->failures_found) {
        const int rank = e->failed_ranks[e->failures_swept++], code = tti_peer_failed(rank);
        if (e->fabric != NULL && is_estranged(rank))
            tti_fabric_part(e->fabric, rank);
        else if (e->fabric != NULL)
            tti_fabric_peer_died(e->fabric, rank);
        end_queue(e->peers[rank], code);
        end_numbered(rank, code);
        end_posted(rank, code);
        tti_failure_tell_watchers(rank);
    }
}
