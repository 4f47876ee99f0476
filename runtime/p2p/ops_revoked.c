/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of all operations on a communicator that is revoked. */
#include "runtime/p2p/arrival.h"
#include "runtime/progress/progress.h"
#include "runtime/progress/wake.h"
#include "tutti/error.h"

typedef struct {
    const tutti_comm *comm;
    tti_link victims;
} search;

static void pick(tti_match_receive *receive, void *context)
{
    search *s = context;
    tti_p2p_op *op = TTI_OWNER(receive, tti_p2p_op, u.posted);
    if (op->comm == s->comm) tti_list_append(&s->victims, &op->link);
}

static void end_posted(const tutti_comm *comm)
{
    search s = {.comm = comm};
    tti_list_init(&s.victims);
    tti_match_each_posted(&tti_p2p_engine.match, pick, &s);
    while (!tti_list_empty(&s.victims)) {
        tti_p2p_op *op = TTI_OWNER(s.victims.next, tti_p2p_op, link);
        tti_list_remove(&op->link);
        tti_match_unpost(&tti_p2p_engine.match, &op->u.posted);
        tti_op_finish_later(op, TUTTI_ERR_REVOKED);
    }
}

/* What waits for room and has no number yet. */
static void end_queued(const tutti_comm *comm)
{
    for (tti_link *at = tti_peers.blocked.next; at != &tti_peers.blocked; at = at->next) {
        const tti_link *queue = &TTI_OWNER(at, tti_peer, blocked)->queue;
        for (tti_link *one = queue->next, *next; one != queue; one = next) {
            tti_p2p_op *op = TTI_OWNER(one, tti_p2p_op, link);
            next = one->next;
            if (op->comm == comm && op->id == 0) tti_op_finish_later(op, TUTTI_ERR_REVOKED);
        }
    }
}

static void end_numbered(const tutti_comm *comm)
{
    tti_p2p_op *op;
    for (uint32_t place = 0; (op = tti_ids_next(&tti_p2p_engine.ids, &place)) != NULL;)
        if (op->comm == comm) tti_p2p_abandon(op);
}

void tti_p2p_revoke(tutti_comm *comm)
{
    tti_comm_hold(comm);
    end_posted(comm);
    end_queued(comm);
    end_numbered(comm);
    tti_arrivals_purge(comm->context);
    tti_arrivals_end_taken(comm, tti_message_refuse); /* by matched probes: also what this rank sent itself */
    tti_sleep_notify();
    tti_comm_release(comm);
}
