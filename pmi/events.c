/* SPDX-License-Identifier: BSD-3-Clause */
/* News of dying peers. PMIx tells them on its progress thread, in words that differ by launcher and version;
 * here they become one bit a rank, one call upward, and a wake-up for whoever waits in this folder. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "pmi/asleep.h"
#include "pmi/client.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"

/* Not const because PMIx's prototype has none. PMIX_ERR_PROC_ABORTED is what Open MPI 4's mpirun sends; it is
 * "deprecated" in 4.2, 5 and 6, and in all of them. */
static pmix_status_t deaths[] = {
    PMIX_ERR_PROC_ABORTED,         PMIX_ERR_PROC_ABORTING,      PMIX_ERR_PROC_REQUESTED_ABORT,
    PMIX_ERR_PROC_TERM_WO_SYNC,    PMIX_ERR_PROC_KILLED_BY_CMD, PMIX_ERR_PROC_ABORTED_BY_SIG,
    PMIX_ERR_PROC_FAILED_TO_START, PMIX_EVENT_PROC_TERMINATED,  PMIX_PROC_TERMINATED,
    PMIX_ERR_LOST_CONNECTION,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    tti_pmi_failure_fn *failed; /* NULL while closed */
    void *context;
    uint64_t *dead;    /* one bit a rank */
    uint64_t *counted; /* the same: of those in reserve, who has been introduced */
    int dead_count;    /* of those that count */
    int first_dead;    /* rank; valid if there is one */
    bool orphaned;
} state;

static bool is_dead(int rank)
{
    return (state.dead[rank / 64] >> (rank % 64) & 1) != 0;
}

/* One in reserve that died before it was needed is missed by nobody. */
static bool counts(int rank)
{
    return rank < tti_job_world(&tti_pmi_self.job) || (state.counted[rank / 64] >> (rank % 64) & 1) != 0;
}

static void tell(int rank)
{
    if (state.dead_count++ == 0) state.first_dead = rank;
    tti_log(TTI_LOG_INFO, "the launcher says that rank %d died", rank);
    state.failed(rank, state.context);
}

static void note_death(int rank)
{
    if (state.failed == NULL || is_dead(rank)) return;
    state.dead[rank / 64] |= UINT64_C(1) << (rank % 64);
    if (counts(rank)) tell(rank);
}

void tti_pmi_introduce(int rank)
{
    pthread_mutex_lock(&lock);
    if (state.failed != NULL && !counts(rank)) {
        state.counted[rank / 64] |= UINT64_C(1) << (rank % 64);
        if (is_dead(rank)) tell(rank);
    }
    pthread_mutex_unlock(&lock);
    tti_pmi_wake();
}

static void process_died(const pmix_proc_t *process)
{
    if (!PMIX_CHECK_NSPACE(process->nspace, tti_pmi_self.me.nspace)) return;
    if (process->rank >= (pmix_rank_t)tti_pmi_self.job.size || process->rank == tti_pmi_self.me.rank) return;
    const int rank = (int)process->rank;

    /* The call upward is made under the lock, so that none is running once tti_pmi_events_close() is through.
     */
    pthread_mutex_lock(&lock);
    note_death(rank);
    pthread_mutex_unlock(&lock);
}

static void launcher_lost(void)
{
    pthread_mutex_lock(&lock);
    state.orphaned = true;
    pthread_mutex_unlock(&lock);
    tti_log(
        TTI_LOG_ERROR,
        "the launcher is gone: no news of other ranks will come any more, and nobody ends this process with "
        "them: if the job is not to go on, kill %ld",
        (long)getpid());
}

/* A rank that ended with status 0 ended in order; PMIX_EVENT_PROC_TERMINATED tells of those as well. */
static bool ended_in_order(const pmix_info_t info[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!PMIX_CHECK_KEY(&info[i], PMIX_EXIT_CODE) && !PMIX_CHECK_KEY(&info[i], PMIX_PROC_TERM_STATUS))
            continue;
        pmix_status_t status;
        int code = -1;
        PMIX_VALUE_GET_NUMBER(status, &info[i].value, code, int);
        if (status == PMIX_SUCCESS && code == 0) return true;
    }
    return false;
}

static void affected_died(const pmix_info_t info[], size_t count, const pmix_proc_t *source)
{
    bool named = false;
    for (size_t i = 0; i < count; i++) {
        if (!PMIX_CHECK_KEY(&info[i], PMIX_EVENT_AFFECTED_PROC) || info[i].value.type != PMIX_PROC) continue;
        process_died(info[i].value.data.proc);
        named = true;
    }
    if (!named && source != NULL) process_died(source);
}

static void on_event(size_t registration, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[],
                     size_t count, pmix_info_t results[], size_t result_count,
                     pmix_event_notification_cbfunc_fn_t done, void *done_context)
{
    (void)registration, (void)results, (void)result_count;
    const bool peer = source != NULL && PMIX_CHECK_NSPACE(source->nspace, tti_pmi_self.me.nspace);
    if (status == PMIX_ERR_LOST_CONNECTION && !peer)
        launcher_lost();
    else if (!ended_in_order(info, count))
        affected_died(info, count, source);
    tti_pmi_wake();
    /* SUCCESS, not ACTION_COMPLETE: another library in this process may want to hear it too. */
    if (done != NULL) done(PMIX_SUCCESS, NULL, 0, NULL, NULL, done_context);
}

static void on_registered(pmix_status_t status, size_t registration, void *context)
{
    (void)registration, (void)context;
    if (status != PMIX_SUCCESS)
        tti_log(TTI_LOG_WARN, "the launcher will not tell of dying ranks (%s)", PMIx_Error_string(status));
}

int tti_pmi_events_open(tti_pmi_failure_fn *failed, void *context)
{
    const size_t words = (size_t)tti_pmi_self.job.size / 64 + 1;
    uint64_t *dead = calloc(2 * words, sizeof *dead); /* both sets */
    if (dead == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the state of %d ranks", tti_pmi_self.job.size);
    pthread_mutex_lock(&lock);
    state.failed = failed;
    state.context = context;
    state.dead = dead;
    state.counted = dead + words;
    pthread_mutex_unlock(&lock);
    /* Not waited for: it is a round trip to the launcher, and what happened before is sent to late comers. */
    PMIx_Register_event_handler(deaths, sizeof deaths / sizeof deaths[0], NULL, 0, on_event, on_registered,
                                NULL);
    return 0;
}

void tti_pmi_events_close(void)
{
    pthread_mutex_lock(&lock);
    free(state.dead);
    state.failed = NULL;
    state.context = NULL;
    state.dead = state.counted = NULL;
    state.dead_count = 0;
    state.orphaned = false;
    pthread_mutex_unlock(&lock);
}

bool tti_pmi_events_failed(int rank)
{
    pthread_mutex_lock(&lock);
    const bool failed = state.dead != NULL && (rank < 0 ? state.dead_count > 0 : is_dead(rank));
    pthread_mutex_unlock(&lock);
    return failed;
}

int tti_pmi_dead_rank(void)
{
    pthread_mutex_lock(&lock);
    const int rank = state.dead_count > 0 ? state.first_dead : -1;
    pthread_mutex_unlock(&lock);
    return rank;
}

bool tti_pmi_has_died(int rank)
{
    return tti_pmi_events_failed(rank);
}

bool tti_pmi_events_orphaned(void)
{
    pthread_mutex_lock(&lock);
    const bool orphaned = state.orphaned;
    pthread_mutex_unlock(&lock);
    return orphaned;
}
