/* SPDX-License-Identifier: BSD-3-Clause */
/* What making and ending a window needs from all ranks of its communicator. Collectives are a layer above, so
 * the two exchanges are done here, on messages in the collective space: the algorithm of Bruck et al.
 * ("Efficient algorithms for all-to-all communications in multiport message-passing systems", 1997), for
 * records and for nothing at all, which is a barrier. */
#include "runtime/base/status.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/p2p/progress.h"
#include "runtime/rma/window.h"

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

/* With one rank of them dead, none of the others can be counted on: they give up as well. */
static bool is_settled(const void *argument)
{
    return is_over(argument) || tti_p2p_check_alive(((const pair *)argument)->comm) < 0;
}

static void await_both(pair *p, const char *call, int from)
{
    tti_wait_until(is_settled, p, call, from);
    if (!p->in.over) tti_p2p_abandon(&p->in.op);
    if (!p->out.over) tti_p2p_abandon(&p->out.op);
    tti_wait_until(is_over, p, call, from);
}

static int send_and_receive(tutti_comm *comm, const void *send, size_t send_bytes, int to, void *recv,
                            size_t recv_bytes, int from, const char *call)
{
    pair p = {.comm = comm};
    tti_blocking_open(&p.in);
    tti_blocking_open(&p.out);
    const int receiving = tti_p2p_recv(&p.in.op, comm, TTI_SPACE_COLLECTIVE, recv, recv_bytes, from, TAG);
    if (receiving < 0) return receiving;
    p.in.over = receiving == TTI_P2P_DONE;
    const int sending =
        tti_p2p_send(&p.out.op, comm, TTI_SPACE_COLLECTIVE, TTI_SEND_STANDARD, send, send_bytes, to, TAG);
    p.out.over = sending != 0;
    if (sending < 0 && !p.in.over) tti_p2p_abandon(&p.in.op);
    await_both(&p, call, tti_comm_world(comm, from));
    const int sent = sending < 0 ? sending : p.out.op.error;
    return sent < 0 ? sent : p.in.op.error;
}

/* blocks[0] is the caller's; afterwards blocks[i] is that of the rank i places on. In the round of distance d
 * a rank knows the d blocks from its own on, and hands as many as are missing to the rank d places back. */
static int exchange(tutti_comm *comm, char *blocks, size_t bytes, const char *call)
{
    const int size = comm->size, rank = comm->rank;
    for (int d = 1; d < size; d *= 2) {
        const int count = d < size - d ? d : size - d;
        const size_t part = (size_t)count * bytes;
        int code = tti_p2p_check_alive(comm);
        if (code < 0) return code;
        code = send_and_receive(comm, blocks, part, (rank - d + size) % size, blocks + d * bytes, part,
                                (rank + d) % size, call);
        if (code == TUTTI_ERR_CANCELLED) code = TUTTI_ERR_PEER_FAILED;
        if (code < 0)
            return tti_fail(code, "%s: a rank of the communicator has died or cannot be reached", call);
    }
    return 0;
}

int tti_rma_exchange(tutti_window *window)
{
    return exchange(window->comm, (char *)window->parts, sizeof(tti_rma_part), "tutti_window_create");
}

int tti_rma_barrier(tutti_comm *comm)
{
    char nothing[1];
    return exchange(comm, nothing, 0, "tutti_window_free");
}
