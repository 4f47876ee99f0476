/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/p2p_check.h"

#include "runtime/base/status.h"

int tti_fail_comm(const char *call)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", call);
}

int tti_fail_rank(const char *call, const tutti_comm *comm, int rank)
{
    return tti_fail(TUTTI_ERR_RANK, "%s: rank %d is not in 0 … %d", call, rank, comm->size - 1);
}

int tti_fail_tag(const char *call, int tag)
{
    return tti_fail(TUTTI_ERR_TAG, "%s: tag %d is not in 0 … %d", call, tag, TUTTI_TAG_MAX);
}

int tti_fail_room(const char *call, const void *buf, size_t bytes)
{
    if (buf != NULL)
        return tti_fail(TUTTI_ERR_ARG, "%s: %zu bytes are more than memory can hold", call, bytes);
    return tti_fail(TUTTI_ERR_ARG, "%s: buf is NULL with %zu bytes", call, bytes);
}

int tti_fail_output(const char *call)
{
    return tti_fail(TUTTI_ERR_ARG, "%s: an output is NULL", call);
}
