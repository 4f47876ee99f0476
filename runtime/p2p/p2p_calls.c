/* SPDX-License-Identifier: BSD-3-Clause */
/* The blocking calls: the operation lives on the caller's stack, no request is made. */
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p_blocking.h"
#include "runtime/p2p/p2p_check.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "runtime/request/request.h"

static void mark_over(tti_p2p_op *op)
{
    ((tti_blocking *)op)->over = true;
}

static bool is_over(const void *argument)
{
    return ((const tti_blocking *)argument)->over;
}

TTI_HOT void tti_blocking_open(tti_blocking *b)
{
    b->op.done = mark_over;
    b->over = false;
}

/* Nobody else may send to this rank meanwhile, itself included. */
static bool is_over_or_hopeless(const void *argument)
{
    tti_blocking *const *b = argument;
    return (*b)->over || tti_p2p_despair(&(*b)->op);
}

static void await_receive(tti_blocking *b, const char *call)
{
    if (b->op.peer == TUTTI_ANY_SOURCE)
        tti_wait_until(is_over_or_hopeless, &b, call, TUTTI_ANY_SOURCE);
    else
        tti_wait_until(is_over, b, call, b->op.peer);
}

int tti_blocking_wait(tti_blocking *b, int started, const char *call, int peer)
{
    if (started < 0) return started;
    if (started != TTI_P2P_DONE) tti_wait_until(is_over, b, call, peer);
    return b->op.error;
}

static int explain(const tti_blocking *b, const char *call, const tutti_status *result)
{
    return tti_request_explain(call, result, tti_lost_cause(b->op.peer, result->error));
}

TTI_HOT int tti_blocking_receive(tti_blocking *b, int started, const char *call, tutti_status *status)
{
    if (started == 0) await_receive(b, call);
    const tutti_status result = {b->op.source, b->op.tag, b->op.bytes, started < 0 ? started : b->op.error};
    if (status != NULL) *status = result;
    if (started < 0) return started;
    return __builtin_expect(result.error == 0, 1) ? 0 : explain(b, call, &result);
}

static inline int end_send(tti_blocking *b, int started, const char *call, int dest)
{
    if (started == TTI_P2P_DONE) return 0;
    if (started < 0) return started;
    const tutti_status result = {.source = dest, .error = tti_blocking_wait(b, started, call, b->op.peer)};
    return __builtin_expect(result.error == 0, 1) ? 0 : explain(b, call, &result);
}

static inline int send_blocking(const char *call, tutti_comm *comm, enum tti_p2p_mode mode, const void *buf,
                                size_t bytes, int dest, int tag)
{
    int code = tti_check_send(call, comm, buf, bytes, dest, tag);
    if (code < 0) return code;
    tti_blocking b;
    tti_blocking_open(&b);
    tti_lock();
    code = tti_p2p_send(&b.op, comm, TTI_SPACE_USER, mode, buf, bytes, dest, tag);
    code = end_send(&b, code, call, dest);
    tti_unlock();
    return code;
}

TTI_HOT int tutti_send(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag)
{
    return tti_answer(send_blocking("tutti_send", comm, TTI_SEND_STANDARD, buf, bytes, dest, tag));
}

int tutti_ssend(tutti_comm *comm, const void *buf, size_t bytes, int dest, int tag)
{
    return tti_answer(send_blocking("tutti_ssend", comm, TTI_SEND_SYNCHRONOUS, buf, bytes, dest, tag));
}

TTI_HOT int tutti_recv(tutti_comm *comm, void *buf, size_t bytes, int source, int tag, tutti_status *status)
{
    int code = tti_check_recv("tutti_recv", comm, buf, bytes, source, tag);
    if (code < 0) return tti_answer(code);
    tti_blocking b;
    tti_blocking_open(&b);
    tti_lock();
    code = tti_p2p_recv(&b.op, comm, TTI_SPACE_USER, buf, bytes, source, tag);
    code = tti_blocking_receive(&b, code, "tutti_recv", status);
    tti_unlock();
    return tti_answer(code);
}

static int check_sendrecv(tutti_comm *comm, const void *send, size_t send_bytes, int dest, int send_tag,
                          const void *recv, size_t recv_bytes, int source, int recv_tag)
{
    const int code = tti_check_send("tutti_sendrecv", comm, send, send_bytes, dest, send_tag);
    if (code < 0) return code;
    return tti_check_recv("tutti_sendrecv", comm, recv, recv_bytes, source, recv_tag);
}

/* The receive cannot start: a send that has not left yet does not, one that has goes on. */
static int take_back(tti_blocking *out, int sending, tti_blocking *in, int code, tutti_status *status)
{
    if (sending == 0) tti_p2p_cancel(&out->op);
    tti_blocking_wait(out, sending, "tutti_sendrecv", out->op.peer);
    return tti_blocking_receive(in, code, "tutti_sendrecv", status);
}

static int end_both(tti_blocking *out, int sending, int dest, tti_blocking *in, int receiving,
                    tutti_status *status)
{
    const int sent = end_send(out, sending, "tutti_sendrecv", dest);
    const int code = tti_blocking_receive(in, receiving, "tutti_sendrecv", status);
    return sent < 0 ? sent : code;
}

int tutti_sendrecv(tutti_comm *comm, const void *send, size_t send_bytes, int dest, int send_tag, void *recv,
                   size_t recv_bytes, int source, int recv_tag, tutti_status *status)
{
    int code = check_sendrecv(comm, send, send_bytes, dest, send_tag, recv, recv_bytes, source, recv_tag);
    if (code < 0) return tti_answer(code);
    tti_blocking out, in;
    tti_blocking_open(&out);
    tti_blocking_open(&in);
    tti_lock();
    /* The send first: if it cannot start, the message that the receive would have taken is still there. */
    const int sending =
        tti_p2p_send(&out.op, comm, TTI_SPACE_USER, TTI_SEND_STANDARD, send, send_bytes, dest, send_tag);
    code = sending;
    if (sending >= 0) {
        const int receiving = tti_p2p_recv(&in.op, comm, TTI_SPACE_USER, recv, recv_bytes, source, recv_tag);
        code = receiving < 0 ? take_back(&out, sending, &in, receiving, status)
                             : end_both(&out, sending, dest, &in, receiving, status);
    }
    tti_unlock();
    return tti_answer(code);
}
