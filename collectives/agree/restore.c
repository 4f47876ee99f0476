/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes in the places of dead ranks. The launcher decides which, once for each context that ranks agree
 * on, so that all who ask get the same (launcher/reserve.h); one that was asleep begins then, or is started.
 *
 *     survivors                                  launcher            new process
 *     agree on who has failed, and a context
 *     claim, each of them           ---->        decides   ---->     opens its ways to the others
 *     agree once more
 *     welcome: the context          ---------------------------->    asks the launcher for that claim
 *
 * Each survivor sends the welcome, for others may die before they do. Only then is it sure that the claim
 * holds: if somebody died before, another agreement and claim took its place. */
#include "collectives/agree/restore.h"

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
#include "runtime/progress/sleep.h"

/* Claims are made one at a time; the first in the list is under way if `asked`. */
static tti_link waiting = {&waiting, &waiting};
static bool asked;

/* In a new process: the context by which it was welcomed; 0: it was not yet. */
static uint64_t welcomed_by;

static bool is_lost(const void *regroup, int rank)
{
    return tti_agree_has(((const tti_regroup *)regroup)->failed, rank);
}

bool tti_restore_is_new(const void *regroup, int rank)
{
    const tti_regroup *r = regroup;
    return r->members[rank] != tti_comm_world(r->comm, rank);
}

static int list_former(const tti_regroup *r, int **former)
{
    *former = malloc((size_t)r->comm->size * sizeof **former);
    if (*former == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for a list of %d ranks", r->name, r->comm->size);
    for (int i = 0; i < r->comm->size; i++)
        (*former)[i] = tti_comm_world(r->comm, i);
    return 0;
}

static int ask(tti_regroup *r)
{
    int *former;
    int code = list_former(r, &former);
    if (code < 0) return code;
    const tti_pmi_claim claim = {.context = r->context,
                                 .instead = r->claimed,
                                 .members = former,
                                 .count = r->comm->size,
                                 .is_lost = is_lost,
                                 .of = r};
    code = tti_pmi_claim_begin(&claim, tti_sleep_interrupt);
    free(former);
    if (code == 0) r->claimed = r->context;
    return code;
}

static void introduce(const tti_regroup *r)
{
    for (int i = 0; i < r->comm->size; i++)
        if (tti_restore_is_new(r, i)) tti_p2p_introduce(r->members[i]);
}

/* The answer to the first that waits; TTI_PMI_NOT_YET. */
static int take_answer(tti_regroup *r)
{
    int count = 0, dead = 0;
    int *members = NULL;
    const int code = tti_pmi_claim_test(&members, &count, &dead);
    if (code != 0) return code;
    if (count != r->comm->size) {
        free(members);
        return tti_fail(TUTTI_ERR_LAUNCH, "%s: the launcher gives %d processes for %d ranks", r->name, count,
                        r->comm->size);
    }
    r->members = members;
    introduce(r);
    return 0;
}

static int look(void);

/* Asks for the first that waits and has not been asked for. What cannot be asked goes on without. */
static void ask_next(void)
{
    while (!asked && !tti_list_empty(&waiting)) {
        tti_regroup *r = TTI_OWNER(waiting.next, tti_regroup, link);
        const int code = ask(r);
        asked = code == 0;
        if (asked) break;
        tti_list_remove(&r->link);
        tti_regroup_go_on(r, code);
    }
    tti_progress_launcher(asked ? look : NULL);
}

static int look(void)
{
    tti_regroup *r = TTI_OWNER(waiting.next, tti_regroup, link);
    const int code = take_answer(r);
    if (code == TTI_PMI_NOT_YET) return 0;
    asked = false;
    tti_list_remove(&r->link);
    tti_regroup_go_on(r, code);
    ask_next();
    return 1;
}

void tti_restore_claim(tti_regroup *r)
{
    free(r->members);
    r->members = NULL;
    tti_list_append(&waiting, &r->link);
    ask_next();
}

bool tti_restore_has_lost(const tti_regroup *r)
{
    for (int i = 0; r->members != NULL && i < r->comm->size; i++)
        if (tti_restore_is_new(r, i) && (tti_p2p_is_dead(r->members[i]) || tti_pmi_has_died(r->members[i])))
            return true;
    return false;
}

/* What cannot be sent others send. */
void tti_restore_welcome(const tti_regroup *r)
{
    for (int i = 0; i < r->comm->size; i++) {
        if (!tti_restore_is_new(r, i) || tti_p2p_is_dead(r->members[i])) continue;
        if (tti_am_send(r->members[i], TTI_AM_WELCOME, &r->context, sizeof r->context, NULL, 0) < 0) continue;
    }
}

static bool hear_welcome(int world_rank, const void *payload, size_t bytes)
{
    (void)world_rank;
    if (bytes != sizeof welcomed_by) return false;
    if (welcomed_by == 0) memcpy(&welcomed_by, payload, bytes);
    return true;
}

void tti_restore_open(void)
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
        if (members[i] >= tti_job_world(job) && members[i] != job->rank) tti_p2p_introduce(members[i]);
    for (int i = 0; i < dead_count; i++)
        if (dead[i] != job->rank) tti_p2p_peer_died(dead[i], NULL);
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
    if (code == 0) tti_comm_hold(*comm); /* the program may free it */
    if (code == 0) tti_run_settle_drop_outs();
    if (code == 0) tti_early_settle();
    tti_unlock();
    return code;
}
