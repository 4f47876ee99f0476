/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of collective calls, as the contract says. Each rank checks its own alone: where
 * ranks disagree with each other, the call fails while it runs. Inline: each collective's own check (forms.h)
 * has a contract that the compiler sees, and keeps only what that one needs. */
#ifndef TTI_COLLECTIVES_CALL_CHECK_H
#define TTI_COLLECTIVES_CALL_CHECK_H

#include "collectives/calls/call.h"
#include "collectives/contract/contract.h"
#include "collectives/contract/op.h"
#include "runtime/base/element.h"
#include "runtime/p2p/lock.h"
#include "tutti/collectives.h"

/* The errors, each with its detail. */
int tti_call_wrong_root(const tti_call *call, int root);
int tti_call_wrong_count(const tti_call *call, size_t count, size_t element);
int tti_call_wrong_buffer(const tti_call *call, const void *buffer, const char *which, size_t bytes);
int tti_call_wrong_overlap(const tti_call *call);
int tti_call_wrong_comm(const char *function);
int tti_call_wrong_neighbours(const tti_call *call);

/* call_tables.c: takes the tables and the part of the caller's own, and the buffers; the caller's type is
 * set. */
int tti_call_set_type(tti_call *call, tutti_type type);
int tti_call_set_tables(tti_call *call, const tti_contract *contract, const tti_arguments *given);

static inline int tti_call_begin(tti_call *call, const char *function, const tti_contract *contract,
                                 tutti_comm *comm)
{
    const int code = tti_check_open(function);
    if (code < 0) return code;
    if (comm == NULL) return tti_call_wrong_comm(function);
    call->name = function;
    call->comm = comm;
    call->collective = contract->number;
    call->data = (tti_run_data){0};
    call->shape = (tti_shape){.rank = comm->rank, .size = comm->size, .element = 1, .commutes = true};
    if (!contract->neighbours) return 0;
    call->shape.neighbours = comm->neighbours;
    return comm->neighbours != NULL ? 0 : tti_call_wrong_neighbours(call);
}

static inline int tti_call_set_root(tti_call *call, int root)
{
    if (root < 0 || root >= call->comm->size) return tti_call_wrong_root(call, root);
    call->shape.root = root;
    return 0;
}

static inline int tti_call_set_operation(tti_call *call, tutti_type type, tutti_op *op)
{
    const int code = tti_op_check(call->name, op, type);
    if (code < 0) return code;
    call->data.type = type;
    call->data.op = op;
    call->shape.element = tti_element_bytes(type);
    call->shape.commutes = tti_op_commutes(op);
    return 0;
}

/* All contents of a buffer must have a size that memory can have. */
static inline int tti_call_set_count(tti_call *call, const tti_contract *contract, size_t count)
{
    tti_content any;
    size_t bytes;
    const int before = contract->before(&call->shape, 0, &any),
              after = contract->after(&call->shape, 0, &any);
    const int most = before > after ? before : after;
    if (__builtin_mul_overflow(count, call->shape.element, &bytes) ||
        __builtin_mul_overflow(bytes, (size_t)(most > 0 ? most : 1), &bytes) || bytes > PTRDIFF_MAX)
        return tti_call_wrong_count(call, count, call->shape.element);
    call->shape.count = count;
    return 0;
}

static inline int tti_call_need(const tti_call *call, const void *buffer, const char *which, size_t bytes)
{
    if (bytes == 0 || (buffer != NULL && buffer != TUTTI_IN_PLACE)) return 0;
    return tti_call_wrong_buffer(call, buffer, which, bytes);
}

static inline int tti_call_need_apart(const tti_call *call, size_t send_bytes, size_t recv_bytes)
{
    const uintptr_t send = (uintptr_t)call->data.input, recv = (uintptr_t)call->data.output;
    if (send_bytes == 0 || recv_bytes == 0 || send + send_bytes <= recv || recv + recv_bytes <= send)
        return 0;
    return tti_call_wrong_overlap(call);
}

/* Whether the call is in place, and which buffer is which. */
static inline void tti_call_place(tti_call *call, const tti_contract *contract, const void *send, void *recv)
{
    const bool kept = contract->keeps && recv == TUTTI_IN_PLACE;
    call->shape.in_place =
        (contract->keeps ? kept : send == TUTTI_IN_PLACE) && tti_contract_in_place(contract, &call->shape);
    call->data.input = call->shape.in_place ? NULL : send;
    call->data.output = call->shape.in_place && kept ? (void *)(uintptr_t)send : recv;
}

static inline int tti_call_need_buffers(const tti_call *call, const tti_contract *contract,
                                        const tti_arguments *given, size_t in, size_t out)
{
    const bool keeps = contract->keeps && call->shape.in_place;
    const int code = tti_call_need(call, given->send, "send", keeps ? out : in);
    return code < 0 ? code
                    : tti_call_need(call, given->recv, contract->sends ? "recv" : "buf", keeps ? 0 : out);
}

static inline int tti_call_set_buffers(tti_call *call, const tti_contract *contract,
                                       const tti_arguments *given)
{
    tti_call_place(call, contract, given->send, given->recv);
    const size_t in = tti_contract_input(contract, &call->shape);
    const size_t out = tti_contract_output(contract, &call->shape);
    const int code = tti_call_need_buffers(call, contract, given, in, out);
    return code < 0 ? code : tti_call_need_apart(call, in, out);
}

static inline int tti_call_check(tti_call *call, const char *function, const tti_contract *contract,
                                 const tti_arguments *given)
{
    int code = tti_call_begin(call, function, contract, given->comm);
    if (code == 0 && contract->rooted) code = tti_call_set_root(call, given->root);
    if (code == 0 && contract->reduces) code = tti_call_set_operation(call, given->type, given->op);
    if (code == 0 && contract->typed) code = tti_call_set_type(call, given->type);
    if (tti_contract_parted(contract)) return code < 0 ? code : tti_call_set_tables(call, contract, given);
    if (code == 0 && contract->counted) code = tti_call_set_count(call, contract, given->count);
    if (code == 0 && contract->counted) code = tti_call_set_buffers(call, contract, given);
    return code;
}

#endif
