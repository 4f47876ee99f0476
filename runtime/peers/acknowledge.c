/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has failed, and which of these deaths a program has taken note of: the first ones of the table's list,
 * which only grows, up to comm->acknowledged. */
#include <stdio.h>

#include "runtime/base/status.h"
#include "runtime/peers/peer_failure.h"
#include "runtime/peers/peers.h"

/* Of those that have failed, in a text. */
#define NAMED 8

/* A member among the failed ranks from the `first` on; -1: none. */
static int member_from(const tutti_comm *comm, int first)
{
    for (int i = first; i < tti_peers.failures_swept; i++) {
        const int rank = tti_comm_rank_of(comm, tti_peers.failed_ranks[i]);
        if (rank >= 0) return rank;
    }
    return -1;
}

/* Members among the first `many` failed ranks. */
static int count_failed(const tutti_comm *comm, int many)
{
    int count = 0;
    for (int i = 0; i < many; i++)
        count += tti_comm_rank_of(comm, tti_peers.failed_ranks[i]) >= 0;
    return count;
}

int tti_lost_count_acknowledged(const tutti_comm *comm)
{
    return count_failed(comm, comm->acknowledged);
}

bool tti_lost_is_deserted(const tutti_comm *comm)
{
    return count_failed(comm, tti_peers.failures_swept) == comm->size - 1;
}

int tti_lost_departed_member(const tutti_comm *comm)
{
    for (int r = 0; tti_peers.departures > 0 && r < comm->size; r++)
        if (tti_peers.departed[tti_comm_job_rank(comm, r)]) return r;
    return -1;
}

static bool is_absent(int rank)
{
    return tti_peers.departed[rank] || (tti_peer_failed(rank) != 0 && tti_failure_is_swept(rank));
}

bool tti_lost_is_left_alone(const tutti_comm *comm)
{
    if (tti_peers.departures == 0 || comm->size == 1) return false;
    for (int r = 0; r < comm->size; r++)
        if (r != comm->rank && !is_absent(tti_comm_job_rank(comm, r))) return false;
    return true;
}

/* One that the sweep has yet to find is not waited for: it will end what is started now. */
int tti_lost_mourned_member(const tutti_comm *comm)
{
    if (comm->acknowledged == 0) return tti_lost_member(comm);
    const int fresh = member_from(comm, comm->acknowledged);
    if (fresh >= 0) return fresh;
    return tti_lost_is_deserted(comm) ? member_from(comm, 0) : -1;
}

int tti_lost_check_any_source(const tutti_comm *comm)
{
    const int lost = tti_lost_mourned_member(comm);
    if (__builtin_expect(lost < 0, 1)) return 0;
    const int rank = tti_comm_job_rank(comm, lost);
    return tti_fail(TUTTI_ERR_PEER_FAILED, "rank %d (%d of the job) %s", lost, rank, tti_lost_text(rank));
}

int tti_lost_list_failed(const tutti_comm *comm, int *ranks, int room)
{
    int count = 0;
    for (int i = 0; i < tti_peers.failures_swept; i++) {
        const int rank = tti_comm_rank_of(comm, tti_peers.failed_ranks[i]);
        if (rank < 0) continue;
        if (count < room) ranks[count] = rank;
        count++;
    }
    return count;
}

/* One that the sweep has yet to find is known already, alone. */
void tti_lost_name_failed(const tutti_comm *comm, char names[TTI_LOST_NAMES])
{
    int ranks[NAMED] = {tti_lost_member(comm)};
    const int found = tti_lost_list_failed(comm, ranks, NAMED), count = found > 0 ? found : 1;
    size_t used = (size_t)snprintf(names, TTI_LOST_NAMES, count > 1 ? "ranks %d" : "rank %d", ranks[0]);
    for (int i = 1; i < count && i < NAMED; i++)
        used += (size_t)snprintf(names + used, TTI_LOST_NAMES - used, ", %d", ranks[i]);
    if (count > NAMED) snprintf(names + used, TTI_LOST_NAMES - used, " and %d more", count - NAMED);
}

void tti_lost_acknowledge(tutti_comm *comm)
{
    comm->acknowledged = tti_peers.failures_swept;
}
