/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on a communicator that need no communication; here because of the lock. */
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/p2p/lock.h"

int tutti_comm_rank(const tutti_comm *comm)
{
    return comm != NULL ? comm->rank : tti_fail(TUTTI_ERR_ARG, "tutti_comm_rank: comm is NULL");
}

int tutti_comm_size(const tutti_comm *comm)
{
    return comm != NULL ? comm->size : tti_fail(TUTTI_ERR_ARG, "tutti_comm_size: comm is NULL");
}

int tutti_comm_free(tutti_comm **comm)
{
    if (comm == NULL || *comm == NULL)
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_comm_free: comm is NULL"));
    const int code = tti_check_open("tutti_comm_free");
    if (code < 0) return tti_answer(code);
    if ((*comm)->context == 0)
        return tti_answer(
            tti_fail(TUTTI_ERR_ARG, "tutti_comm_free: the world communicator goes with tutti_finalize()"));
    tti_lock();
    (*comm)->freed = true;
    tti_comm_release(*comm);
    *comm = NULL;
    tti_unlock();
    return 0;
}
