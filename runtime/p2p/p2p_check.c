/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/p2p/p2p_check.h"

#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/lock.h"

static int check_comm(const char *call, const tutti_comm *comm)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    return comm != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", call);
}

int tti_check_room(const char *call, const void *buf, size_t bytes)
{
    if (buf != NULL || bytes == 0) return 0;
    return tti_fail(TUTTI_ERR_ARG, "%s: buf is NULL with %zu bytes", call, bytes);
}

TTI_HOT int tti_check_output(const char *call, const void *output)
{
    return output != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: an output is NULL", call);
}

static int fail_rank(const char *call, const tutti_comm *comm, int rank)
{
    return tti_fail(TUTTI_ERR_RANK, "%s: rank %d is not in 0 … %d", call, rank, comm->size - 1);
}

static int fail_tag(const char *call, int tag)
{
    return tti_fail(TUTTI_ERR_TAG, "%s: tag %d is not in 0 … %d", call, tag, TUTTI_TAG_MAX);
}

TTI_HOT int tti_check_send(const char *call, const tutti_comm *comm, const void *buf, size_t bytes, int dest,
                           int tag)
{
    const int code = check_comm(call, comm);
    if (code < 0) return code;
    if ((unsigned)dest >= (unsigned)comm->size && dest != TUTTI_PROC_NULL) return fail_rank(call, comm, dest);
    if (tag < 0) return fail_tag(call, tag);
    return tti_check_room(call, buf, bytes);
}

int tti_check_wish(const char *call, const tutti_comm *comm, int source, int tag)
{
    const int code = check_comm(call, comm);
    if (code < 0) return code;
    if ((unsigned)source >= (unsigned)comm->size && source != TUTTI_PROC_NULL && source != TUTTI_ANY_SOURCE)
        return fail_rank(call, comm, source);
    return tag >= TUTTI_ANY_TAG ? 0 : fail_tag(call, tag);
}

TTI_HOT int tti_check_recv(const char *call, const tutti_comm *comm, const void *buf, size_t bytes,
                           int source, int tag)
{
    const int code = tti_check_wish(call, comm, source, tag);
    return code < 0 ? code : tti_check_room(call, buf, bytes);
}
