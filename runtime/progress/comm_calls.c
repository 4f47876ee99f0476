/* SPDX-License-Identifier: BSD-3-Clause */
/* The public calls on a communicator that need no agreement; here because of the lock and of progress. */
#include "runtime/base/status.h"
#include "runtime/comm/comm.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"
#include "tutti/fault.h"

int tutti_comm_rank(const tutti_comm *comm)
{
    if (comm != NULL) return comm->rank;
    return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_comm_rank: comm is NULL"));
}

int tutti_comm_size(const tutti_comm *comm)
{
    if (comm != NULL) return comm->size;
    return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_comm_size: comm is NULL"));
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

static int check(const char *call, const tutti_comm *comm)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    return comm != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", call);
}

int tutti_comm_failed(tutti_comm *comm, int *ranks, int room, int *count)
{
    const int code = check("tutti_comm_failed", comm);
    if (code < 0) return tti_answer(code);
    if (count == NULL || room < 0 || (room > 0 && ranks == NULL))
        return tti_answer(tti_fail(TUTTI_ERR_ARG, "tutti_comm_failed: %s is NULL, or room, %d, below 0",
                                   count == NULL ? "count" : "ranks", room));
    tti_lock();
    tti_progress_all();
    *count = tti_lost_list_failed(comm, ranks, room);
    tti_unlock();
    return 0;
}

int tutti_comm_acknowledge(tutti_comm *comm)
{
    const int code = check("tutti_comm_acknowledge", comm);
    if (code < 0) return tti_answer(code);
    tti_lock();
    tti_progress_all();
    tti_lost_acknowledge(comm);
    tti_unlock();
    return 0;
}
