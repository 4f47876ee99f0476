/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments of the public message calls: 0 or an error with its detail. What finds all well
 * stands here, as short messages feel it. */
#ifndef TTI_P2P_CHECK_H
#define TTI_P2P_CHECK_H

#include "runtime/p2p/p2p.h"
#include "runtime/progress/lock.h"

/* The errors. */
int tti_fail_comm(const char *call);
int tti_fail_rank(const char *call, const tutti_comm *comm, int rank);
int tti_fail_tag(const char *call, int tag);
int tti_fail_room(const char *call, const void *buf, size_t bytes);
int tti_fail_output(const char *call);

static inline int tti_check_comm(const char *call, const tutti_comm *comm)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    return comm != NULL ? 0 : tti_fail_comm(call);
}

static inline int tti_check_room(const char *call, const void *buf, size_t bytes)
{
    return (buf != NULL || bytes == 0) && bytes <= PTRDIFF_MAX ? 0 : tti_fail_room(call, buf, bytes);
}

static inline int tti_check_output(const char *call, const void *output)
{
    return output != NULL ? 0 : tti_fail_output(call);
}

static inline int tti_check_send(const char *call, const tutti_comm *comm, const void *buf, size_t bytes,
                                 int dest, int tag)
{
    const int code = tti_check_comm(call, comm);
    if (code < 0) return code;
    if ((unsigned)dest >= (unsigned)comm->size && dest != TUTTI_PROC_NULL)
        return tti_fail_rank(call, comm, dest);
    if (tag < 0) return tti_fail_tag(call, tag);
    return tti_check_room(call, buf, bytes);
}

/* What a receive or probe may ask for. */
static inline int tti_check_wish(const char *call, const tutti_comm *comm, int source, int tag)
{
    const int code = tti_check_comm(call, comm);
    if (code < 0) return code;
    if ((unsigned)source >= (unsigned)comm->size && source != TUTTI_PROC_NULL && source != TUTTI_ANY_SOURCE)
        return tti_fail_rank(call, comm, source);
    return tag >= TUTTI_ANY_TAG ? 0 : tti_fail_tag(call, tag);
}

static inline int tti_check_recv(const char *call, const tutti_comm *comm, const void *buf, size_t bytes,
                                 int source, int tag)
{
    const int code = tti_check_wish(call, comm, source, tag);
    return code < 0 ? code : tti_check_room(call, buf, bytes);
}

#endif
