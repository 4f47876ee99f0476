/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of collective calls. Each rank checks its own alone: where ranks disagree with each
 * other, the call fails while it runs. */
#include <stdint.h>

#include "collectives/call.h"
#include "collectives/op.h"
#include "runtime/base/element.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"
#include "tutti/collectives.h"

TTI_HOT static int begin(tti_call *call, const char *name, tutti_comm *comm, enum tti_collective collective)
{
    const int code = tti_check_open(name);
    if (code < 0) return code;
    if (comm == NULL) return tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", name);
    call->name = name;
    call->comm = comm;
    call->collective = collective;
    call->data = (tti_run_data){0};
    call->shape = (tti_shape){.rank = comm->rank, .size = comm->size, .element = 1, .commutes = true};
    return 0;
}

TTI_HOT static int set_root(tti_call *call, int root)
{
    if (root < 0 || root >= call->comm->size)
        return tti_fail(TUTTI_ERR_RANK, "%s: root %d is not in 0 … %d", call->name, root,
                        call->comm->size - 1);
    call->shape.root = root;
    return 0;
}

/* `blocks` × count × element must be a size that memory can have. */
TTI_HOT static int set_count(tti_call *call, size_t count, size_t element, size_t blocks)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, element, &bytes) || __builtin_mul_overflow(bytes, blocks, &bytes) ||
        bytes > PTRDIFF_MAX)
        return tti_fail(TUTTI_ERR_ARG, "%s: %zu elements of %zu bytes are more than memory can hold",
                        call->name, count, element);
    call->shape.count = count;
    call->shape.element = element;
    return 0;
}

TTI_HOT static int set_operation(tti_call *call, tutti_type type, tutti_op *op)
{
    const int code = tti_op_check(call->name, op, type);
    if (code < 0) return code;
    call->data.type = type;
    call->data.op = op;
    call->shape.commutes = tti_op_commutes(op);
    return 0;
}

TTI_HOT static int need(const tti_call *call, const void *buf, const char *which, size_t bytes)
{
    if (bytes == 0 || (buf != NULL && buf != TUTTI_IN_PLACE)) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: %s is %s with %zu bytes", call->name, which,
                    buf == NULL ? "NULL" : "TUTTI_IN_PLACE", bytes);
}

TTI_HOT static int need_apart(const tti_call *call, size_t send_bytes, size_t recv_bytes)
{
    const uintptr_t send = (uintptr_t)call->data.input, recv = (uintptr_t)call->data.output;
    if (send_bytes == 0 || recv_bytes == 0 || send + send_bytes <= recv || recv + recv_bytes <= send)
        return 0;
    return tti_fail(TUTTI_ERR_ARG,
                    "%s: send and recv overlap; TUTTI_IN_PLACE as send takes the input from recv",
                    call->name);
}

/* `output`: whether this rank receives; only such a rank may be in place. */
TTI_HOT static int set_buffers(tti_call *call, const void *send, void *recv, bool output)
{
    call->shape.in_place = output && send == TUTTI_IN_PLACE;
    call->data.input = call->shape.in_place ? NULL : send;
    call->data.output = recv;
    const size_t in = tti_shape_input(call->collective, &call->shape);
    const size_t out = tti_shape_output(call->collective, &call->shape);
    int code = need(call, send, "send", in);
    if (code == 0) code = need(call, recv, "recv", out);
    if (code == 0) code = need_apart(call, in, out);
    return code;
}

TTI_HOT int tti_call_barrier(tti_call *call, const char *name, tutti_comm *comm)
{
    return begin(call, name, comm, TTI_BARRIER);
}

TTI_HOT int tti_call_bcast(tti_call *call, const char *name, tutti_comm *comm, void *buf, size_t bytes,
                           int root)
{
    int code = begin(call, name, comm, TTI_BCAST);
    if (code == 0) code = set_root(call, root);
    if (code == 0) code = set_count(call, bytes, 1, 1);
    if (code == 0) code = need(call, buf, "buf", bytes);
    if (code < 0) return code;
    call->data.output = buf;
    return 0;
}

TTI_HOT int tti_call_reduce(tti_call *call, const char *name, tutti_comm *comm, const void *send, void *recv,
                            size_t count, tutti_type type, tutti_op *op, int root)
{
    int code = begin(call, name, comm, TTI_REDUCE);
    if (code == 0) code = set_root(call, root);
    if (code == 0) code = set_operation(call, type, op);
    if (code == 0) code = set_count(call, count, tti_element_bytes(type), 1);
    if (code == 0) code = set_buffers(call, send, recv, comm->rank == root);
    return code;
}

TTI_HOT int tti_call_allreduce(tti_call *call, const char *name, tutti_comm *comm, const void *send,
                               void *recv, size_t count, tutti_type type, tutti_op *op)
{
    int code = begin(call, name, comm, TTI_ALLREDUCE);
    if (code == 0) code = set_operation(call, type, op);
    if (code == 0) code = set_count(call, count, tti_element_bytes(type), 1);
    if (code == 0) code = set_buffers(call, send, recv, true);
    return code;
}

TTI_HOT int tti_call_allgather(tti_call *call, const char *name, tutti_comm *comm, const void *send,
                               void *recv, size_t bytes)
{
    int code = begin(call, name, comm, TTI_ALLGATHER);
    if (code == 0) code = set_count(call, bytes, 1, (size_t)comm->size);
    if (code == 0) code = set_buffers(call, send, recv, true);
    return code;
}
