/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of collective calls, as the contract says. Each rank checks its own alone: where
 * ranks disagree with each other, the call fails while it runs. Inline: each collective's own check (forms.h)
 * has a contract that the compiler sees, and keeps only what that one needs. */
#ifndef TTI_CALLS_CALL_CHECK_H
#define TTI_CALLS_CALL_CHECK_H

#include "collectives/calls/call_buffers.h"
#include "collectives/calls/call_tables.h"
#include "collectives/calls/call_wrong.h"
#include "collectives/contract/op.h"
#include "runtime/base/copy.h"
#include "runtime/base/element.h"
#include "runtime/progress/lock.h"
#include "tutti/collectives.h"

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
    tti_clear(&call->shape, sizeof call->shape);
    call->shape.rank = comm->rank;
    call->shape.size = comm->size;
    call->shape.element = 1;
    call->shape.commutes = true;
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
        return tti_call_wrong_count(call->name, count, call->shape.element);
    call->shape.count = count;
    return 0;
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
