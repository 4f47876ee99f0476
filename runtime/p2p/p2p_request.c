/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking and persistent messages: an operation within a request. The requests come from slabs that live
 * until closing, so that a program's steady state allocates nothing. */
#include "runtime/p2p/p2p_request.h"

#include <stdlib.h>

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p_check.h"
#include "runtime/progress/lock.h"

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
        more->requests[i].base.detail = NULL;
        more->requests[i].next_spare = pool.spare;
        pool.spare = &more->requests[i];
    }
    return true;
}

void tti_p2p_requests_close(void)
{
    while (pool.slabs != NULL) {
        slab *next = pool.slabs->next;
        for (int i = 0; i < SLAB_REQUESTS; i++)
            tti_request_forget_detail(&pool.slabs->requests[i].base);
        free(pool.slabs);
        pool.slabs = next;
    }
    pool.spare = NULL;
}

static void release(tutti_request *base)
{
    tti_p2p_request *request = (tti_p2p_request *)base;
    if (base->persistent) tti_comm_release(request->call.comm);
    request->next_spare = pool.spare;
    pool.spare = request;
}

static int cancel(tutti_request *base)
{
    tti_p2p_cancel(&((tti_p2p_request *)base)->op);
    return 0;
}

static bool despair(tutti_request *base)
{
    return tti_p2p_despair(&((tti_p2p_request *)base)->op);
}

static void awaits(const void *argument, tti_awaited *awaited)
{
    const tti_p2p_op *op = &((const tti_p2p_request *)argument)->op;
    if (op->peer >= 0) tti_awaited_add(awaited, op->peer);
}

static inline void note_sent(tti_p2p_request *request)
{
    request->base.status.bytes = request->op.error == 0 ? request->call.bytes : 0;
}

static inline void note_received(tti_p2p_request *request)
{
    const tti_p2p_op *op = &request->op;
    request->base.status = (tutti_status){op->source, op->tag, op->bytes, op->error};
}

static void send_done(tti_p2p_op *op)
{
    tti_p2p_request *request = TTI_OWNER(op, tti_p2p_request, op);
    note_sent(request);
    if (__builtin_expect(op->error < 0, 0)) tti_request_keep_detail(&request->base, op->error, op->peer);
    tti_request_complete(&request->base, op->error);
}

static void receive_done(tti_p2p_op *op)
{
    tti_p2p_request *request = TTI_OWNER(op, tti_p2p_request, op);
    note_received(request);
    if (__builtin_expect(op->error < 0, 0)) tti_request_keep_detail(&request->base, op->error, op->peer);
    tti_request_complete(&request->base, op->error);
}

/* The start's own result: an error means that nothing is active. */
static inline int begin(tti_p2p_request *request, int started, void (*note)(tti_p2p_request *))
{
    if (started == 0) tti_request_begin(&request->base);
    if (started != TTI_P2P_DONE) return started;
    note(request);
    if (__builtin_expect(request->op.error < 0, 0))
        tti_request_keep_detail(&request->base, request->op.error, request->op.peer);
    tti_request_begin_complete(&request->base, request->op.error);
    return 0;
}

static inline int start_send(tti_p2p_request *r, enum tti_p2p_mode mode, const tti_p2p_call *call)
{
    r->base.status = (tutti_status){call->peer, call->tag, 0, 0};
    r->call.bytes = call->bytes;
    r->op.done = send_done;
    const int started =
        tti_p2p_send(&r->op, call->comm, TTI_SPACE_USER, mode, call->buf, call->bytes, call->peer, call->tag);
    return begin(r, started, note_sent);
}

static inline int start_receive(tti_p2p_request *r, const tti_p2p_call *call)
{
    r->base.status = (tutti_status){call->peer, call->tag, 0, 0};
    r->op.done = receive_done;
    const int started =
        tti_p2p_recv(&r->op, call->comm, TTI_SPACE_USER, call->buf, call->bytes, call->peer, call->tag);
    return begin(r, started, note_received);
}

static int restart_send(tutti_request *base)
{
    tti_p2p_request *r = (tti_p2p_request *)base;
    return start_send(r, TTI_SEND_STANDARD, &r->call);
}

static int restart_receive(tutti_request *base)
{
    tti_p2p_request *r = (tti_p2p_request *)base;
    return start_receive(r, &r->call);
}

static const tti_request_kind isend_kind = {"tutti_isend", NULL, cancel, release, awaits, NULL};
static const tti_request_kind issend_kind = {"tutti_issend", NULL, cancel, release, awaits, NULL};
static const tti_request_kind irecv_kind = {"tutti_irecv", NULL, cancel, release, awaits, despair};
static const tti_request_kind imrecv_kind = {"tutti_imrecv", NULL, cancel, release, awaits, NULL};
static const tti_request_kind send_init_kind = {"tutti_send_init", restart_send, cancel,
                                                release,           awaits,       NULL};
static const tti_request_kind recv_init_kind = {"tutti_recv_init", restart_receive, cancel,
                                                release,           awaits,          despair};

TTI_HOT static inline tti_p2p_request *take_spare(const tti_request_kind *kind)
{
    if (__builtin_expect(pool.spare == NULL, 0) && !grow_pool()) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a request", kind->name);
        return NULL;
    }
    tti_p2p_request *request = pool.spare;
    pool.spare = request->next_spare;
    tti_request_open(&request->base, kind, kind->start != NULL);
    return request;
}

tti_p2p_request *tti_p2p_request_make(void)
{
    tti_p2p_request *request = take_spare(&imrecv_kind);
    if (request != NULL) request->op.done = receive_done;
    return request;
}

/* What was to be started in `request`: hands it over, or takes it back. */
static inline int hand_out(tti_p2p_request *request, int code, tutti_request **made)
{
    if (code < 0)
        release(&request->base);
    else
        *made = &request->base;
    return code;
}

int tti_p2p_request_begin(tti_p2p_request *request, int started, tutti_request **made)
{
    return hand_out(request, begin(request, started, note_received), made);
}

/* What a persistent one is to start. */
static int keep(tti_p2p_request *request, const tti_p2p_call *call)
{
    request->call = *call;
    tti_comm_hold(call->comm);
    return call->peer != TUTTI_PROC_NULL ? tti_comm_check_revoked(call->comm) : 0;
}

/* Under the lock. */
static inline int make_send(const tti_request_kind *kind, enum tti_p2p_mode mode, const tti_p2p_call *call,
                            tutti_request **made)
{
    tti_p2p_request *request = take_spare(kind);
    if (request == NULL) return TUTTI_ERR_NO_MEMORY;
    const int code = kind->start != NULL ? keep(request, call) : start_send(request, mode, call);
    return hand_out(request, code, made);
}

static inline int make_receive(const tti_request_kind *kind, const tti_p2p_call *call, tutti_request **made)
{
    tti_p2p_request *request = take_spare(kind);
    if (request == NULL) return TUTTI_ERR_NO_MEMORY;
    const int code = kind->start != NULL ? keep(request, call) : start_receive(request, call);
    return hand_out(request, code, made);
}

static inline int open_send(const tti_request_kind *kind, enum tti_p2p_mode mode, const tti_p2p_call *call,
                            tutti_request **made)
{
    int code = tti_check_send(kind->name, call->comm, call->buf, call->bytes, call->peer, call->tag);
    if (code == 0) code = tti_check_output(kind->name, made);
    if (code < 0) return code;
    tti_lock();
    code = make_send(kind, mode, call, made);
    tti_unlock();
    return code;
}

static inline int open_receive(const tti_request_kind *kind, const tti_p2p_call *call, tutti_request **made)
{
    int code = tti_check_recv(kind->name, call->comm, call->buf, call->bytes, call->peer, call->tag);
    if (code == 0) code = tti_check_output(kind->name, made);
    if (code < 0) return code;
    tti_lock();
    code = make_receive(kind, call, made);
    tti_unlock();
    return code;
}

TTI_HOT int tutti_isend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                        tutti_request **request)
{
    const tti_p2p_call call = {comm, (void *)(uintptr_t)buf, bytes, dest, tag};
    return tti_answer(open_send(&isend_kind, TTI_SEND_STANDARD, &call, request));
}

int tutti_issend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag, tutti_request **request)
{
    const tti_p2p_call call = {comm, (void *)(uintptr_t)buf, bytes, dest, tag};
    return tti_answer(open_send(&issend_kind, TTI_SEND_SYNCHRONOUS, &call, request));
}

TTI_HOT int tutti_irecv(tutti_comm *comm, void *buf, size_t bytes, int source, int tag,
                        tutti_request **request)
{
    const tti_p2p_call call = {comm, buf, bytes, source, tag};
    return tti_answer(open_receive(&irecv_kind, &call, request));
}

int tutti_send_init(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag,
                    tutti_request **request)
{
    const tti_p2p_call call = {comm, (void *)(uintptr_t)buf, bytes, dest, tag};
    return tti_answer(open_send(&send_init_kind, TTI_SEND_STANDARD, &call, request));
}

int tutti_recv_init(tutti_comm *comm, void *buf, size_t bytes, int source, int tag, tutti_request **request)
{
    const tti_p2p_call call = {comm, buf, bytes, source, tag};
    return tti_answer(open_receive(&recv_init_kind, &call, request));
}
