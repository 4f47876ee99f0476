/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/job_server.h"

#include <errno.h>
#include <pmix.h>
#include <pmix_server.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "launcher/job_claims.h"
#include "launcher/job_info.h"
#include "launcher/launcher_report.h"
#include "launcher/prompt_sockets.h"
#include "launcher/reserve.h"
#include "runtime/base/clock.h"

/* Longest wait for PMIx's thread to hear of a rank that has ended, in ns. It is held up only by a connection
 * of somebody who says nothing (job_server.h). */
#define NEWS_NS (10 * (int64_t)TTI_NS_PER_SECOND)
/* Longest wait for PMIx to close, in ns: a job that lost a rank is gone within two seconds. */
#define FINALIZE_NS (TTI_NS_PER_SECOND / 2)

static struct {
    const tti_server_job *job;
    _Atomic unsigned char *members; /* enum tti_server_member of each rank */
    int wake;
    pthread_mutex_t lock; /* guards the wish, and the condition: somebody left */
    pthread_cond_t news;
    bool wished, taken;
    tti_server_abort wish;
} server = {.wake = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER};

static bool is_ours(const pmix_proc_t *proc)
{
    return PMIX_CHECK_NSPACE(proc->nspace, server.job->name) && proc->rank < (pmix_rank_t)server.job->ranks;
}

static pmix_status_t connected(const pmix_proc_t *proc, void *object, pmix_info_t info[], size_t count,
                               pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)info, (void)count, (void)done, (void)context;
    if (!is_ours(proc)) return PMIX_ERR_NOT_FOUND;
    atomic_store(&server.members[proc->rank], TTI_MEMBER_JOINED);
    return PMIX_OPERATION_SUCCEEDED;
}

/* The first of the two ways counts. */
static void note_end(const pmix_proc_t *proc, enum tti_server_member how)
{
    if (!is_ours(proc)) return;
    unsigned char joined = TTI_MEMBER_JOINED;
    pthread_mutex_lock(&server.lock);
    atomic_compare_exchange_strong(&server.members[proc->rank], &joined, (unsigned char)how);
    pthread_cond_broadcast(&server.news);
    pthread_mutex_unlock(&server.lock);
}

static pmix_status_t finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)done, (void)context;
    note_end(proc, TTI_MEMBER_LEFT);
    return PMIX_OPERATION_SUCCEEDED;
}

static void vanished(size_t handler, pmix_status_t code, const pmix_proc_t *source, pmix_info_t info[],
                     size_t count, pmix_info_t results[], size_t results_count,
                     pmix_event_notification_cbfunc_fn_t done, void *context)
{
    (void)handler, (void)code, (void)info, (void)count, (void)results, (void)results_count;
    note_end(source, TTI_MEMBER_VANISHED);
    if (done != NULL) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, context);
}

static pmix_status_t aborted(const pmix_proc_t *proc, void *object, int code, const char text[],
                             pmix_proc_t procs[], size_t count, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)procs, (void)count, (void)done, (void)context;
    if (!is_ours(proc)) return PMIX_ERR_NOT_FOUND;
    pthread_mutex_lock(&server.lock);
    if (!server.wished) {
        server.wished = true;
        server.wish.rank = (int)proc->rank;
        server.wish.code = code;
        strncpy(server.wish.text, text != NULL ? text : "", sizeof server.wish.text - 1);
    }
    pthread_mutex_unlock(&server.lock);
    eventfd_write(server.wake, 1);
    return PMIX_OPERATION_SUCCEEDED;
}

/* How the fence went among the ranks here: a rank may have been lost in it. */
static pmix_status_t outcome(const pmix_info_t info[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (PMIX_CHECK_KEY(&info[i], PMIX_LOCAL_COLLECTIVE_STATUS)) return info[i].value.data.status;
    }
    return PMIX_SUCCESS;
}

/* All ranks are clients of this server, so when it asks everybody has come and everything is at hand. */
static pmix_status_t fence(const pmix_proc_t procs[], size_t procs_count, const pmix_info_t info[],
                           size_t count, char *data, size_t bytes, pmix_modex_cbfunc_t done, void *context)
{
    (void)procs, (void)procs_count;
    if (done != NULL) done(outcome(info, count), data, bytes, context, free, data);
    return PMIX_SUCCESS;
}

/* Asked only for a process that is not a client here: there is none. */
static pmix_status_t direct_modex(const pmix_proc_t *proc, const pmix_info_t info[], size_t count,
                                  pmix_modex_cbfunc_t done, void *context)
{
    (void)proc, (void)info, (void)count, (void)done, (void)context;
    return PMIX_ERR_NOT_FOUND;
}

static pmix_status_t register_events(pmix_status_t *codes, size_t codes_count, const pmix_info_t info[],
                                     size_t count, pmix_op_cbfunc_t done, void *context)
{
    (void)codes, (void)codes_count, (void)info, (void)count, (void)done, (void)context;
    return PMIX_OPERATION_SUCCEEDED;
}

static pmix_status_t deregister_events(pmix_status_t *codes, size_t count, pmix_op_cbfunc_t done,
                                       void *context)
{
    (void)codes, (void)count, (void)done, (void)context;
    return PMIX_OPERATION_SUCCEEDED;
}

/* An event that a rank raised; PMIx has passed it to the ranks here, and there are no others. */
static pmix_status_t notify(pmix_status_t code, const pmix_proc_t *source, pmix_data_range_t range,
                            pmix_info_t info[], size_t count, pmix_op_cbfunc_t done, void *context)
{
    (void)code, (void)source, (void)range, (void)info, (void)count, (void)done, (void)context;
    return PMIX_OPERATION_SUCCEEDED;
}

/* Without this function PMIx lets in any process that calls itself a tool. There is no answer: PMIx 4.2
 * crashes when it is told to refuse. The connection stays where it is, without a say, until the job ends. */
static void ignore_tool(pmix_info_t *info, size_t count, pmix_tool_connection_cbfunc_t done, void *context)
{
    (void)info, (void)count, (void)done, (void)context;
}

static pmix_status_t allocate(const pmix_proc_t *proc, pmix_alloc_directive_t directive,
                              const pmix_info_t info[], size_t count, pmix_info_cbfunc_t done, void *context)
{
    return is_ours(proc) ? tti_claims_allocate(proc, directive, info, count, done, context)
                         : PMIX_ERR_NOT_FOUND;
}

static pmix_server_module_t module = {.client_connected2 = connected,
                                      .client_finalized = finalized,
                                      .abort = aborted,
                                      .fence_nb = fence,
                                      .direct_modex = direct_modex,
                                      .register_events = register_events,
                                      .deregister_events = deregister_events,
                                      .notify_event = notify,
                                      .allocate = allocate,
                                      .tool_connected = ignore_tool};

static int refuse(const char *what, pmix_status_t status)
{
    return tti_launcher_refuse(TTI_STATUS_USAGE,
                               "%s: PMIx says %s; check that libpmix is installed whole and %s has room",
                               what, PMIx_Error_string(status), server.job->directory);
}

/* Settings that make the start of a rank cheap, unless the user chose others: data that fits into messages
 * (hash), and user ids as credentials (native), which prove nothing and need not (job_server.h). */
static void choose_components(void)
{
    setenv("PMIX_MCA_gds", "hash", 0);
    setenv("PMIX_MCA_psec", "native", 0);
}

static pmix_status_t start_server(const tti_server_job *job)
{
    pmix_info_t info[2];
    choose_components();
    PMIX_INFO_LOAD(&info[0], PMIX_SERVER_TMPDIR, job->directory, PMIX_STRING);
    PMIX_INFO_LOAD(&info[1], PMIX_SYSTEM_TMPDIR, job->directory, PMIX_STRING);
    const pmix_status_t status = PMIx_server_init(&module, info, 2);
    PMIX_INFO_DESTRUCT(&info[0]);
    PMIX_INFO_DESTRUCT(&info[1]);
    if (status == PMIX_SUCCESS) tti_make_sockets_prompt();
    pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
    if (status == PMIX_SUCCESS) PMIx_Register_event_handler(&lost, 1, NULL, 0, vanished, NULL, NULL);
    return status;
}

/* PMIx handles requests in order: when the last registration is done all are. */
static pmix_status_t register_ranks(const tti_server_job *job)
{
    for (int i = 0; i < job->ranks; i++) {
        pmix_proc_t proc;
        PMIX_LOAD_PROCID(&proc, job->name, (pmix_rank_t)i);
        const pmix_status_t status =
            PMIx_server_register_client(&proc, geteuid(), getegid(), NULL, NULL, NULL);
        if (status != PMIX_SUCCESS && status != PMIX_OPERATION_SUCCEEDED) return status;
    }
    return PMIX_SUCCESS;
}

static pmix_status_t register_job(const tti_server_job *job)
{
    pmix_info_t *info = NULL;
    size_t count = 0;
    pmix_status_t status = tti_job_info_make(job, &info, &count);
    if (status == PMIX_SUCCESS)
        status = PMIx_server_register_nspace(job->name, job->ranks, info, count, NULL, NULL);
    if (info != NULL) PMIX_INFO_FREE(info, count);
    if (status != PMIX_SUCCESS && status != PMIX_OPERATION_SUCCEEDED) return status;
    status = tti_job_info_hide_observer(job);
    return status == PMIX_SUCCESS ? register_ranks(job) : status;
}

int tti_server_open(const tti_server_job *job)
{
    server.job = job;
    server.members = calloc((size_t)job->ranks, sizeof *server.members);
    server.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const bool has_room =
        tti_claims_open(job->ranks) &&
        tti_reserve_open(job->world, job->spares, job->ranks - job->world - job->spares, server.wake);
    if (server.members == NULL || server.wake < 0 || !has_room)
        return tti_launcher_refuse_errno(TTI_STATUS_USAGE, errno, "cannot prepare the PMIx server",
                                         "raise ulimit -n");
    pmix_status_t status = start_server(job);
    if (status != PMIX_SUCCESS) return refuse("cannot start the PMIx server", status);
    status = register_job(job);
    if (status != PMIX_SUCCESS) return refuse("cannot register the job", status);
    return 0;
}

static void *finalize_thread(void *done)
{
    PMIx_server_finalize();
    sem_post(done);
    return NULL;
}

/* PMIx 4.2's finalize waits for ever on its own lock where a client's connection failed half way (no ports
 * left, a client killed in its handshake). The job is over by then: what remains goes with the process. */
static bool finalize_in_time(void)
{
    static sem_t done; /* outlives this call if finalize does */
    pthread_t thread;
    struct timespec limit;
    sem_init(&done, 0, 0);
    if (pthread_create(&thread, NULL, finalize_thread, &done) != 0) return false;
    pthread_detach(thread);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += FINALIZE_NS;
    limit.tv_sec += limit.tv_nsec / TTI_NS_PER_SECOND;
    limit.tv_nsec %= TTI_NS_PER_SECOND;
    int result;
    do
        result = sem_timedwait(&done, &limit);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

void tti_server_close(void)
{
    if (!finalize_in_time()) return;
    close(server.wake);
    free((void *)server.members);
    tti_claims_close();
    tti_reserve_close();
}

int tti_server_environment(int rank, char ***environment)
{
    pmix_proc_t proc;
    PMIX_LOAD_PROCID(&proc, server.job->name, (pmix_rank_t)rank);
    const pmix_status_t status = PMIx_server_setup_fork(&proc, environment);
    return status == PMIX_SUCCESS ? 0 : refuse("cannot prepare a rank's environment", status);
}

enum tti_server_member tti_server_member_of(int rank)
{
    return (enum tti_server_member)atomic_load(&server.members[rank]);
}

enum tti_server_member tti_server_last_of(int rank)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += NEWS_NS / TTI_NS_PER_SECOND;
    pthread_mutex_lock(&server.lock);
    int result = 0;
    while (tti_server_member_of(rank) == TTI_MEMBER_JOINED && result == 0)
        result = pthread_cond_timedwait(&server.news, &server.lock, &limit);
    pthread_mutex_unlock(&server.lock);
    return tti_server_member_of(rank);
}

int tti_server_wake_fd(void)
{
    return server.wake;
}

bool tti_server_take_abort(tti_server_abort *wish)
{
    eventfd_t count;
    eventfd_read(server.wake, &count);
    pthread_mutex_lock(&server.lock);
    const bool is_new = server.wished && !server.taken;
    if (is_new) *wish = server.wish;
    server.taken = server.taken || is_new;
    pthread_mutex_unlock(&server.lock);
    return is_new;
}

void tti_server_announce_death(int rank)
{
    pmix_proc_t proc;
    pmix_info_t info;
    PMIX_LOAD_PROCID(&proc, server.job->name, (pmix_rank_t)rank);
    PMIX_INFO_LOAD(&info, PMIX_EVENT_AFFECTED_PROC, &proc, PMIX_PROC);
    /* The dead rank is named as the source, so that the range is its namespace. */
    PMIx_Notify_event(PMIX_ERR_PROC_ABORTED, &proc, PMIX_RANGE_NAMESPACE, &info, 1, NULL, NULL);
    PMIX_INFO_DESTRUCT(&info);
}
