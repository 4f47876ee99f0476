/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/call_wrong.h"

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

int tti_call_wrong_count(const tti_call *call, size_t count, size_t element)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: %zu elements of %zu bytes are more than memory can hold", call->name,
                    count, element);
}

int tti_call_wrong_buffer(const tti_call *call, const void *buffer, const char *which, size_t bytes)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: %s is %s with %zu bytes", call->name, which,
                    buffer == NULL ? "NULL" : "TUTTI_IN_PLACE", bytes);
}

int tti_call_wrong_overlap(const tti_call *call)
{
    return tti_fail(TUTTI_ERR_ARG,
                    "%s: send and recv overlap; TUTTI_IN_PLACE as send takes the input from recv",
                    call->name);
}
