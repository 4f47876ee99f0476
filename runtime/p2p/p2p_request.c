/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent messages: an operation within a request. The requests come from slabs that live
 * until closing, so that a program's steady state allocates nothing. */
#include "runtime/p2p/p2p_request.h"

#include <stdlib.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/p2p_check.h"

#define SLAB_REQUESTS 64

typedef struct slab {
    struct slab *next;
    tti_p2p_request requests[SLAB_REQUESTS];
} slab;

static struct {
    slab *slabs;
    tti_p2p_request *spare;
} pool;

static bool grow_pool(void)
{
    slab *more = malloc(sizeof *more);
    if (more == NULL) return false;
    more->next = pool.slabs;
    pool.slabs = more;
    for (int i = 0; i < SLAB_REQUESTS; i++) {
        more->requests[i].next_spare = pool.spare;
        pool.spare = &more->requests[i];
    }
    return true;
}

void tti_p2p_requests_close(void)
{
    while (pool.slabs != NULL) {
        slab *next = pool.slabs->next;
        free(pool.slabs);
        pool.slabs = next;
    }
    pool.spare = NULL;
}

static void release(tutti_request *base)
{
    tti_p2p_request *request = (tti_p2p_request *)base;
    if (base->persistent) tti_comm_release(request->comm);
    request->next_spare = pool.spare;
    pool.spare = request;
}

static int cancel(tutti_request *base)
{
    tti_p2p_cancel(&((tti_p2p_request *)base)->op);
    return 0;
}

static void send_done(tti_p2p_op *op)
{
    tti_p2p_request *request = TTI_OWNER(op, tti_p2p_request, op);
    request->base.status.bytes = op->error == 0 ? request->bytes : 0;
    tti_request_complete(&request->base, op->error);
}

static void receive_done(tti_p2p_op *op)
{
    tti_p2p_request *request = TTI_OWNER(op, tti_p2p_request, op);
    request->base.status = (tutti_status){op->source, op->tag, op->bytes, op->error};
    tti_request_complete(&request->base, op->error);
}

/* The start's own result: an error means that nothing is active. */
static int begin(tti_p2p_request *request, int started)
{
    if (started < 0) return started;
    tti_request_begin(&request->base);
    if (started == TTI_P2P_DONE) request->op.done(&request->op);
    return 0;
}

static int start_send(tti_p2p_request *r)
{
    r->base.status = (tutti_status){r->peer, r->tag, 0, 0};
    return begin(r,
                 tti_p2p_send(&r->op, r->comm, TTI_SPACE_USER, r->mode, r->buf, r->bytes, r->peer, r->tag));
}

static int start_receive(tti_p2p_request *r)
{
    r->base.status = (tutti_status){r->peer, r->tag, 0, 0};
    return begin(r, tti_p2p_recv(&r->op, r->comm, TTI_SPACE_USER, r->buf, r->bytes, r->peer, r->tag));
}

static int restart_send(tutti_request *base)
{
    return start_send((tti_p2p_request *)base);
}

static int restart_receive(tutti_request *base)
{
    return start_receive((tti_p2p_request *)base);
}

static const tti_request_kind isend_kind = {"tutti_isend", NULL, cancel, release, NULL};
static const tti_request_kind issend_kind = {"tutti_issend", NULL, cancel, release, NULL};
static const tti_request_kind irecv_kind = {"tutti_irecv", NULL, cancel, release, NULL};
static const tti_request_kind imrecv_kind = {"tutti_imrecv", NULL, cancel, release, NULL};
static const tti_request_kind send_init_kind = {"tutti_send_init", restart_send, cancel, release, NULL};
static const tti_request_kind recv_init_kind = {"tutti_recv_init", restart_receive, cancel, release, NULL};

TTI_HOT static tti_p2p_request *take_spare(const tti_request_kind *kind, bool sends)
{
    if (pool.spare == NULL && !grow_pool()) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a request", kind->name);
        return NULL;
    }
    tti_p2p_request *request = pool.spare;
    pool.spare = request->next_spare;
    tti_request_open(&request->base, kind, kind->start != NULL);
    request->op.done = sends ? send_done : receive_done;
    return request;
}

tti_p2p_request *tti_p2p_request_make(void)
{
    return take_spare(&imrecv_kind, false);
}

int tti_p2p_request_begin(tti_p2p_request *request, int started, tutti_request **made)
{
    const int code = begin(request, started);
    if (code < 0)
        release(&request->base);
    else
        *made = &request->base;
    return code;
}

/* Makes the request; a persistent one keeps its communicator. Under the lock. */
static tti_p2p_request *make(const tti_request_kind *kind, const tti_p2p_request *wish, bool sends)
{
    tti_p2p_request *request = take_spare(kind, sends);
    if (request == NULL) return NULL;
    request->comm = wish->comm;
    request->buf = wish->buf;
    request->bytes = wish->bytes;
    request->peer = wish->peer;
    request->tag = wish->tag;
    request->mode = wish->mode;
    if (request->base.persistent) tti_comm_hold(request->comm);
    return request;
}

static int open_request(const tti_request_kind *kind, const tti_p2p_request *wish, bool sends,
                        tutti_request **made)
{
    tti_lock();
    tti_p2p_request *request = make(kind, wish, sends);
    int code = request != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
    if (code == 0 && !request->base.persistent) {
        code = sends ? start_send(request) : start_receive(request);
        if (code < 0) release(&request->base);
    }
    if (code == 0) *made = &request->base;
    tti_unlock();
    return code;
}

TTI_HOT static int open_send(const tti_request_kind *kind, tutti_comm *comm, enum tti_p2p_mode mode,
                             const void *buf, size_t bytes, int dest, int tag, tutti_request **made)
{
    int code = tti_check_send(kind->name, comm, buf, bytes, dest, tag);
    if (code == 0) code = tti_check_output(kind->name, made);
    if (code < 0) return code;
    const tti_p2p_request wish = {
        .comm = comm, .buf = (void *)(uintptr_t)buf, .bytes = bytes, .peer = dest, .tag = tag, .mode = mode};
    return open_request(kind, &wish, true, made);
}

TTI_HOT static int open_receive(const tti_request_kind *kind, tutti_comm *comm, void *buf, size_t bytes,
                                int source, int tag, tutti_request **made)
{
    int code = tti_check_recv(kind->name, comm, buf, bytes, source, tag);
    if (code == 0) code = tti_check_output(kind->name, made);
    if (code < 0) return code;
    const tti_p2p_request wish = {.comm = comm, .buf = buf, .bytes = bytes, .peer = source, .tag = tag};
    return open_request(kind, &wish, false, made);
}

TTI_HOT int tutti_isend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                        tutti_request **request)
{
    return tti_answer(open_send(&isend_kind, comm, TTI_SEND_STANDARD, buf, bytes, dest, tag, request));
}

int tutti_issend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag, tutti_request **request)
{
    return tti_answer(open_send(&issend_kind, comm, TTI_SEND_SYNCHRONOUS, buf, bytes, dest, tag, request));
}

int tutti_send_init(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                    tutti_request **request)
{
    return tti_answer(open_send(&send_init_kind, comm, TTI_SEND_STANDARD, buf, bytes, dest, tag, request));
}

TTI_HOT int tutti_irecv(tutti_comm *comm, void *buf, size_t bytes, int source, int tag,
                        tutti_request **request)
{
    return tti_answer(open_receive(&irecv_kind, comm, buf, bytes, source, tag, request));
}

int tutti_recv_init(tutti_comm *comm, void *buf, size_t bytes, int source, int tag, tutti_request **request)
{
    return tti_answer(open_receive(&recv_init_kind, comm, buf, bytes, source, tag, request));
}
