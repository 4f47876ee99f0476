/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has failed, and which of these deaths a program has taken note of: the first ones of the engine's list,
 * which only grows, up to comm->acknowledged. */
#include "runtime/base/status.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/lock.h"
#include "runtime/p2p/progress.h"
#include "tutti/fault.h"

/* A member among the failed ranks from the `first` on; -1: none. */
static int member_from(const tutti_comm *comm, int first)
{
    const tti_engine *e = &tti_p2p_engine;
    for (int i = first; i < e->failures_swept; i++) {
        const int rank = tti_comm_rank_of(comm, e->failed_ranks[i]);
        if (rank >= 0) return rank;
    }
    return -1;
}

/* Members among the first `many` failed ranks. */
static int count_failed(const tutti_comm *comm, int many)
{
    const tti_engine *e = &tti_p2p_engine;
    int count = 0;
    for (int i = 0; i < many; i++)
        count += tti_comm_rank_of(comm, e->failed_ranks[i]) >= 0;
    return count;
}

int tti_p2p_count_acknowledged(const tutti_comm *comm)
{
    return count_failed(comm, comm->acknowledged);
}

bool tti_p2p_is_deserted(const tutti_comm *comm)
{
    return count_failed(comm, tti_p2p_engine.failures_swept) == comm->size - 1;
}

/* One that the sweep has yet to find is not waited for: it will end what is started now. */
int tti_p2p_mourned_member(const tutti_comm *comm)
{
    if (comm->acknowledged == 0) return tti_p2p_lost_member(comm);
    const int fresh = member_from(comm, comm->acknowledged);
    if (fresh >= 0) return fresh;
    return tti_p2p_is_deserted(comm) ? member_from(comm, 0) : -1;
}

int tti_p2p_check_any_source(const tutti_comm *comm)
{
    const int lost = tti_p2p_mourned_member(comm);
    if (__builtin_expect(lost < 0, 1)) return 0;
    const int rank = tti_comm_world(comm, lost);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d (%d of the job) %s", lost, rank, tti_failure_text(rank));
}

static int check(const char *call, const tutti_comm *comm)
{
    const int code = tti_check_open(call);
    if (code < 0) return code;
    return comm != NULL ? 0 : tti_fail(TUTTI_ERR_ARG, "%s: comm is NULL", call);
}

static int list_failed(const tutti_comm *comm, int *ranks, int room)
{
    const tti_engine *e = &tti_p2p_engine;
    int count = 0;
    for (int i = 0; i < e->failures_swept; i++) {
        const int rank = tti_comm_rank_of(comm, e->failed_ranks[i]);
        if (rank < 0) continue;
        if (count < room) ranks[count] = rank;
        count++;
    }
    return count;
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
    *count = list_failed(comm, ranks, room);
    tti_unlock();
    return 0;
}

int tutti_comm_acknowledge(tutti_comm *comm)
{
    const int code = check("tutti_comm_acknowledge", comm);
    if (code < 0) return tti_answer(code);
    tti_lock();
    tti_progress_all();
    comm->acknowledged = tti_p2p_engine.failures_swept;
    tti_unlock();
    return 0;
}
