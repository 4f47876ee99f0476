/* SPDX-License-Identifier: BSD-3-Clause */
/* What making and ending a window needs from all ranks of its communicator. Collectives are a layer above, so
 * the two exchanges are done here, on messages in the collective space: the algorithm of Bruck et al.
 * ("Efficient algorithms for all-to-all communications in multiport message-passing systems", 1997), for
 * records and for nothing at all, which is a barrier. */
#include "runtime/base/status.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/rma/window.h"

/* Apart from the tags of collectives; the order of calls keeps one exchange from the next. */
#define TAG (TUTTI_TAG_MAX - 1)

static int send_and_receive(tutti_comm *comm, const void *send, size_t send_bytes, int to, void *recv,
                            size_t recv_bytes, int from, const char *call)
{
    tti_blocking in, out;
    tti_blocking_open(&in);
    tti_blocking_open(&out);
    const int receiving = tti_p2p_recv(&in.op, comm, TTI_SPACE_COLLECTIVE, recv, recv_bytes, from, TAG);
    if (receiving < 0) return receiving;
    const int sending =
        tti_p2p_send(&out.op, comm, TTI_SPACE_COLLECTIVE, TTI_SEND_STANDARD, send, send_bytes, to, TAG);
    if (sending < 0 && receiving != TTI_P2P_DONE) tti_p2p_cancel(&in.op);
    const int sent = tti_blocking_wait(&out, sending, call, tti_comm_world(comm, to));
    const int received = tti_blocking_wait(&in, receiving, call, tti_comm_world(comm, from));
    return sent < 0 ? sent : received;
}

/* blocks[0] is the caller's; afterwards blocks[i] is that of the rank i places on. In the round of distance d
 * a rank knows the d blocks from its own on, and hands as many as are missing to the rank d places back. */
static int exchange(tutti_comm *comm, char *blocks, size_t bytes, const char *call)
{
    const int size = comm->size, rank = comm->rank;
    for (int d = 1; d < size; d *= 2) {
        const int count = d < size - d ? d : size - d;
        const size_t part = (size_t)count * bytes;
        const int code = send_and_receive(comm, blocks, part, (rank - d + size) % size, blocks + d * bytes,
                                          part, (rank + d) % size, call);
        if (code < 0)
            return tti_fail(code, "%s: rank %d or %d of the communicator has died or cannot be reached", call,
                            (rank - d + size) % size, (rank + d) % size);
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
