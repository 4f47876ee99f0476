/* SPDX-License-Identifier: BSD-3-Clause */
/* What making and ending a window needs from all ranks of its communicator. Collectives are a layer above, so
 * the two exchanges are done here, on messages in the collective space: the algorithm of Bruck et al.
 * ("Efficient algorithms for all-to-all communications in multiport message-passing systems", 1997), for
 * records and for nothing at all, which is a barrier. */
#include <inttypes.h>

#include "runtime/base/status.h"
#include "runtime/p2p/drop_out.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/progress.h"
#include "runtime/rma/window_exchange.h"

/* Apart from the tags of collectives; the order of calls keeps one exchange from the next. */
#define TAG (TUTTI_TAG_MAX - 1)

typedef struct {
    tti_blocking in, out;
    const tutti_comm *comm;
} pair;

static bool is_over(const void *argument)
{
    const pair *p = argument;
    return p->in.over && p->out.over;
}

/* With one rank of them dead, or out, none of the others can be counted on: they give up as well. */
static int check_all(const tutti_comm *comm)
{
    const int code = tti_lost_check_alive(comm);
    return code < 0 ? code : tti_drop_out_check(comm);
}

static bool is_settled(const void *argument)
{
    return is_over(argument) || check_all(((const pair *)argument)->comm) < 0;
}

static void await_both(pair *p, const char *call, int from)
{
    tti_wait_until(is_settled, p, call, from);
    if (!p->in.over) tti_p2p_abandon(&p->in.op);
    if (!p->out.over) tti_p2p_abandon(&p->out.op);
    tti_wait_until(is_over, p, call, from);
}

/* What goes one way in a round, and what comes. */
typedef struct {
    const char *call; /* for messages */
    const void *send;
    void *recv;
    size_t send_bytes, recv_bytes;
} parcels;

static int send_and_receive(tutti_comm *comm, const parcels *with, int to, int from)
{
    pair p = {.comm = comm};
    tti_blocking_open(&p.in);
    tti_blocking_open(&p.out);
    const int receiving =
        tti_p2p_recv(&p.in.op, comm, TTI_SPACE_COLLECTIVE, with->recv, with->recv_bytes, from, TAG);
    if (receiving < 0) return receiving;
    p.in.over = receiving == TTI_P2P_DONE;
    const int sending = tti_p2p_send(&p.out.op, comm, TTI_SPACE_COLLECTIVE, TTI_SEND_STANDARD, with->send,
                                     with->send_bytes, to, TAG);
    p.out.over = sending != 0;
    if (sending < 0 && !p.in.over) tti_p2p_abandon(&p.in.op);
    await_both(&p, with->call, tti_comm_job_rank(comm, from));
    const int sent = sending < 0 ? sending : p.out.op.error;
    return sent < 0 ? sent : p.in.op.error;
}

/* Whoever waits for what this rank should have passed on is told that it never comes. */
static int explain_round(tutti_comm *comm, const char *call, int code)
{
    if (comm->revoked) return tti_comm_check_revoked(comm);
    if (code == TUTTI_ERR_CANCELLED) code = TUTTI_ERR_PEER_FAILED;
    if (code == TUTTI_ERR_PEER_FAILED)
        return tti_fail(code, "%s: a rank of the communicator has died or cannot be reached", call);
    tti_fail(code, "%s: what all ranks of the communicator exchange could not be passed on: %s", call,
             tutti_strerror(code));
    return tti_drop_out(comm, code);
}

/* One round: a message to the rank `distance` places back and one from as far ahead. */
static int round_of(tutti_comm *comm, int distance, const parcels *with)
{
    const int size = comm->size, rank = comm->rank;
    int code = check_all(comm);
    if (code < 0) return code;
    code = send_and_receive(comm, with, (rank - distance + size) % size, (rank + distance) % size);
    if (code == 0 || code == TUTTI_ERR_TRUNCATE) return comm->revoked ? tti_comm_check_revoked(comm) : 0;
    const int other = tti_drop_out_check(comm);
    return other < 0 ? other : explain_round(comm, with->call, code);
}

static int explain_failure(const tutti_comm *comm, const tti_rma_part *bad)
{
    const int rank = (int)bad->failed - 1;
    if (rank == comm->rank) return bad->error; /* with its own detail */
    return tti_fail(bad->error,
                    "tutti_window_create: rank %d could not make its part of %" PRIu64 " bytes: %s", rank,
                    bad->bytes, tutti_strerror(bad->error));
}

/* parts[0] is the caller's; afterwards parts[i] is that of the rank i places on. In the round of distance d a
 * rank knows the d parts from its own on, and hands as many as are missing to the rank d places back. Whoever
 * knows of a rank that failed hands on that alone; without memory only the first part of what comes is kept.
 */
int tti_rma_exchange(tutti_comm *comm, tti_rma_part *own, tti_rma_part *parts)
{
    tti_rma_part bad = *own, first;
    if (parts != NULL) parts[0] = *own;
    for (int d = 1; d < comm->size; d *= 2) {
        const size_t count = (size_t)(d < comm->size - d ? d : comm->size - d);
        tti_rma_part *come = parts != NULL ? parts + d : &first;
        const parcels with = {.call = "tutti_window_create",
                              .send = bad.failed != 0 ? &bad : parts,
                              .send_bytes = (bad.failed != 0 ? 1 : count) * sizeof bad,
                              .recv = come,
                              .recv_bytes = (parts != NULL ? count : 1) * sizeof *come};
        const int code = round_of(comm, d, &with);
        if (code < 0) return code;
        if (bad.failed == 0 && come->failed != 0) bad = *come;
    }
    own->failed = bad.failed;
    return bad.failed != 0 ? explain_failure(comm, &bad) : tti_comm_check_revoked(comm); /* alone, too */
}

/* The same with nothing to hand on. */
int tti_rma_barrier(tutti_comm *comm)
{
    char nothing[1];
    const parcels with = {.call = "tutti_window_free", .send = nothing, .recv = nothing};
    for (int d = 1; d < comm->size; d *= 2) {
        const int code = round_of(comm, d, &with);
        if (code < 0) return code;
    }
    return tti_comm_check_revoked(comm);
}
