/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers of a collective call: which is which, whether they are there, and lie apart. Inline, as
 * call_check.h. */
#ifndef TTI_CALLS_CALL_BUFFERS_H
#define TTI_CALLS_CALL_BUFFERS_H

#include "collectives/calls/call_wrong.h"
#include "collectives/contract/contract.h"
#include "tutti/collectives.h"

static inline int tti_call_need(const tti_call *call, const void *buffer, const char *which, size_t bytes)
{
    if (bytes == 0 || (buffer != NULL && buffer != TUTTI_IN_PLACE)) return 0;
    return tti_call_wrong_buffer(call, buffer, which, bytes);
}

/* Whether two buffers share a byte. */
static inline bool tti_call_meet(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return a_bytes > 0 && b_bytes > 0 && (uintptr_t)a < (uintptr_t)b + b_bytes &&
           (uintptr_t)b < (uintptr_t)a + a_bytes;
}

static inline int tti_call_need_apart(const tti_call *call, size_t send_bytes, size_t recv_bytes)
{
    const bool meet = tti_call_meet(call->data.input, send_bytes, call->data.output, recv_bytes);
    return meet ? tti_call_wrong_overlap(call) : 0;
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

#endif
