/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/call_wrong.h"

#include "collectives/contract/contract.h"
#include "runtime/base/status.h"

int tti_call_wrong_comm(const char *function)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", function);
}

int tti_call_wrong_neighbours(const tti_call *call)
{
    return tti_fail(TUTTI_ERR_ARG,
                    "%s: the communicator carries no neighbours; tutti_comm_graph(), tutti_comm_grid() and "
                    "tutti_comm_stencil() make one that does",
                    call->name);
}

int tti_call_wrong_root(const tti_call *call, int root)
{
    return tti_fail(TUTTI_ERR_RANK, "%s: root %d is not in 0 … %d", call->name, root, call->comm->size - 1);
}

int tti_call_wrong_count(const char *function, size_t count, size_t element)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: %zu elements of %zu bytes are more than memory can hold", function,
                    count, element);
}

/* Which buffer TUTTI_IN_PLACE may stand for. */
static const char *in_place_of(const tti_call *call)
{
    const tti_contract *contract = tti_collective_describe(call->collective);
    if (contract->neighbours) return "no exchange with neighbours is in place";
    if (!contract->sends) return "there is no other buffer";
    if (contract->keeps) return "at the root TUTTI_IN_PLACE as recv leaves its own part in send";
    if (contract->rooted) return "at the root TUTTI_IN_PLACE as send takes its input from recv";
    return "TUTTI_IN_PLACE as send takes the input from recv";
}

int tti_call_wrong_buffer(const tti_call *call, const void *buffer, const char *which, size_t bytes)
{
    if (buffer == NULL)
        return tti_fail(TUTTI_ERR_ARG, "%s: %s is NULL with %zu bytes", call->name, which, bytes);
    return tti_fail(TUTTI_ERR_ARG, "%s: %s is TUTTI_IN_PLACE with %zu bytes; %s", call->name, which, bytes,
                    in_place_of(call));
}

int tti_call_wrong_overlap(const tti_call *call)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: send and recv overlap; %s", call->name, in_place_of(call));
}
