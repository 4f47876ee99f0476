/* SPDX-License-Identifier: BSD-3-Clause */
/* News of dying peers. PMIx tells them on its progress thread, in words that differ by launcher and version;
 * here they become one bit a rank, one call upward, and a wake-up for whoever waits in this folder. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmi/asleep.h"
#include "pmi/client.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/status.h"

enum { ORPHANS_END, ORPHANS_LIVE }; /* as the option has them */

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
    bool live; /* also where the launcher is gone */
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
    if (is_dead(rank)) return;
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

static bool is_other_rank(const pmix_proc_t *process)
{
    const pmix_proc_t *me = &tti_pmi_self.me;
    return PMIX_CHECK_NSPACE(process->nspace, me->nspace) && process->rank != me->rank &&
           process->rank < (pmix_rank_t)tti_pmi_self.job.size;
}

/* The call upward is made under the lock, so that none is running once tti_pmi_events_close() is through; nor
 * does anybody look at the facts of the job then, which end. */
static void process_died(const pmix_proc_t *process)
{
    pthread_mutex_lock(&lock);
    if (state.failed != NULL && is_other_rank(process)) note_death((int)process->rank);
    pthread_mutex_unlock(&lock);
}

/* The server that this process is attached to: not a rank, nor a process of another job that is served by it.
 */
static bool is_launcher(const pmix_proc_t *process)
{
    const pmix_proc_t *server = &tti_pmi_self.server;
    if (server->nspace[0] == '\0') return !PMIX_CHECK_NSPACE(process->nspace, tti_pmi_self.me.nspace);
    return strcmp(process->nspace, server->nspace) == 0 && process->rank == server->rank;
}

/* True once, and only while this process is in the job: one that has left it needs no launcher. */
static bool note_orphaned(const pmix_proc_t *process, bool *live)
{
    pthread_mutex_lock(&lock);
    const bool news = state.failed != NULL && !state.orphaned && is_launcher(process);
    if (news) state.orphaned = true;
    *live = state.live;
    pthread_mutex_unlock(&lock);
    return news;
}

static void launcher_lost(bool live)
{
    tti_pmi_wake();
    if (!live) {
        tti_pmi_orphan_end();
        return;
    }
    tti_log(TTI_LOG_ERROR,
            "the launcher is gone: no news of other ranks will come any more, and nobody ends this process "
            "with them (TUTTI_ORPHANS=live): if the job is not to go on, kill %ld",
            (long)getpid());
}

static void connection_lost(const pmix_proc_t *process)
{
    bool live;
    if (note_orphaned(process, &live))
        launcher_lost(live);
    else
        process_died(process);
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

/* Those that are named are gone, else the source. */
static void tell_gone(void (*gone)(const pmix_proc_t *process), const pmix_info_t info[], size_t count,
                      const pmix_proc_t *source)
{
    bool named = false;
    for (size_t i = 0; i < count; i++) {
        if (!PMIX_CHECK_KEY(&info[i], PMIX_EVENT_AFFECTED_PROC) || info[i].value.type != PMIX_PROC) continue;
        gone(info[i].value.data.proc);
        named = true;
    }
    if (!named && source != NULL) gone(source);
}

static void on_event(size_t registration, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[],
                     size_t count, pmix_info_t results[], size_t result_count,
                     pmix_event_notification_cbfunc_fn_t done, void *done_context)
{
    (void)registration, (void)results, (void)result_count;
    if (!ended_in_order(info, count))
        tell_gone(status == PMIX_ERR_LOST_CONNECTION ? connection_lost : process_died, info, count, source);
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

static void find_server(void)
{
    char *nspace;
    uint32_t rank;
    if (!tti_pmi_fact_number(tti_pmi_self.me.rank, PMIX_SERVER_RANK, &rank)) return;
    if (!tti_pmi_fact_text(tti_pmi_self.me.rank, PMIX_SERVER_NSPACE, &nspace)) return;
    PMIX_LOAD_PROCID(&tti_pmi_self.server, nspace, rank);
    free(nspace);
}

int tti_pmi_events_open(tti_pmi_failure_fn *failed, void *context)
{
    const size_t words = (size_t)tti_pmi_self.job.size / 64 + 1;
    uint64_t *dead = calloc(2 * words, sizeof *dead); /* both sets */
    if (dead == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the state of %d ranks", tti_pmi_self.job.size);
    find_server();
    pthread_mutex_lock(&lock);
    state.failed = failed;
    state.context = context;
    state.dead = dead;
    state.counted = dead + words;
    state.live = tti_option_value(TTI_OPTION_ORPHANS) == ORPHANS_LIVE;
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
