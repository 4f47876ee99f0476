/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/agree/restore_join.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/agree/agree_early.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/progress/lock.h"
#include "runtime/progress/progress.h"

/* The context by which this process was welcomed; 0: it was not yet. */
static uint64_t welcomed_by;

static bool hear_welcome(int job_rank, const void *payload, size_t bytes)
{
    (void)job_rank;
    if (bytes != sizeof welcomed_by) return false;
    if (welcomed_by == 0) memcpy(&welcomed_by, payload, bytes);
    return true;
}

void tti_restore_join_open(void)
{
    tti_am_register(TTI_AM_WELCOME, hear_welcome);
}

static bool is_welcomed(const void *argument)
{
    (void)argument;
    return welcomed_by != 0;
}

static int find(const int *members, int count, int process)
{
    int rank = 0;
    while (rank < count && members[rank] != process)
        rank++;
    return rank < count ? rank : -1;
}

/* Another rank has taken the windows, if there are any. */
static bool is_anybody_new(const void *of, int rank)
{
    return rank == *(const int *)of;
}

static int make(const tti_job *job, const int *members, int count, tutti_comm **made)
{
    const int rank = find(members, count, job->rank);
    if (rank < 0)
        return tti_fail(TUTTI_ERR_LAUNCH, "process %d is welcome among %d ranks, of which it is none",
                        job->rank, count);
    int code = tti_comm_make(members, count, rank, made);
    if (code == 0) code = tti_windows_prepare(*made, welcomed_by, 0, is_anybody_new, &rank);
    if (code < 0) return code;
    tti_comm_set_context(*made, welcomed_by);
    tti_windows_agreed(*made, true);
    return 0;
}

static void hear_of(const tti_job *job, const int *members, int count, const int *dead, int dead_count)
{
    for (int i = 0; i < count; i++)
        if (members[i] >= tti_job_world(job) && members[i] != job->rank) tti_death_news_introduce(members[i]);
    for (int i = 0; i < dead_count; i++)
        if (dead[i] != job->rank) tti_lost_peer_died(dead[i], NULL);
}

/* Its members and others of the job that have died. */
static int join(const tti_job *job, tutti_comm **comm)
{
    int *members = NULL, count = 0, dead = 0;
    tti_wait_until(is_welcomed, NULL, "tutti_init", TUTTI_ANY_SOURCE);
    int code = tti_pmi_claim_recall(welcomed_by, &members, &count, &dead);
    if (code < 0) return code;
    hear_of(job, members, count, members + count, dead);
    code = make(job, members, count, comm);
    free(members);
    return code;
}

int tti_restore_join(const tti_job *job, tutti_comm **comm)
{
    tti_lock();
    tti_p2p_expect_context(true);
    hear_of(job, job->allies, job->allies_count, job->allies + job->allies_count, job->allies_dead);
    const int code = join(job, comm);
    tti_p2p_expect_context(false);
    if (code == 0) tti_comm_hold(*comm); /* the program may free it, as others do */
    if (code == 0) tti_run_settle_drop_outs();
    if (code == 0) tti_early_settle();
    tti_unlock();
    return code;
}
