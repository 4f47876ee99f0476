/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/job_server.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <pmix.h>
#include <pmix_server.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "launcher/job_answers.h"
#include "launcher/job_claims.h"
#include "launcher/job_info.h"
#include "launcher/launcher_report.h"
#include "launcher/prompt_sockets.h"
#include "launcher/reserve.h"
#include "runtime/base/clock.h"

/* Longest wait for PMIx to close, in ns: a job that lost a rank is gone within two seconds. */
#define FINALIZE_NS (TTI_NS_PER_SECOND / 2)

static struct {
    const tti_server_job *job;
    int wake;
} server = {.wake = -1};

/* True too where nobody can tell. */
static bool is_any_interface_up(void)
{
    struct ifaddrs *all;
    bool up = false;
    if (getifaddrs(&all) != 0) return true;
    for (const struct ifaddrs *one = all; one != NULL && !up; one = one->ifa_next)
        up = (one->ifa_flags & IFF_UP) != 0 && one->ifa_addr != NULL &&
             (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6);
    freeifaddrs(all);
    return up;
}

static int refuse(const char *what, pmix_status_t status)
{
    if (!is_any_interface_up())
        return tti_launcher_refuse(TTI_STATUS_USAGE,
                                   "%s: PMIx says %s; no network interface is up here, and ranks reach the "
                                   "launcher on the loopback device: ip link set lo up",
                                   what, PMIx_Error_string(status));
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

/* PMIx looks up where to write when it starts; the ranks' PMIx is not to write there. */
static pmix_status_t init_server(const tti_server_job *job, pmix_info_t *info, size_t count)
{
    char words[16];
    snprintf(words, sizeof words, "%d", job->words);
    setenv("PMIX_OUTPUT_STDERR_FD", words, 1);
    const pmix_status_t status = PMIx_server_init(tti_answers_module(), info, count);
    unsetenv("PMIX_OUTPUT_STDERR_FD");
    return status;
}

static pmix_status_t start_server(const tti_server_job *job)
{
    pmix_info_t info[2];
    choose_components();
    PMIX_INFO_LOAD(&info[0], PMIX_SERVER_TMPDIR, job->directory, PMIX_STRING);
    PMIX_INFO_LOAD(&info[1], PMIX_SYSTEM_TMPDIR, job->directory, PMIX_STRING);
    const pmix_status_t status = init_server(job, info, 2);
    PMIX_INFO_DESTRUCT(&info[0]);
    PMIX_INFO_DESTRUCT(&info[1]);
    if (status == PMIX_SUCCESS) tti_make_sockets_prompt();
    if (status == PMIX_SUCCESS) tti_answers_hear_losses();
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
    server.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const bool has_room = tti_answers_open(job, server.wake) && tti_claims_open(job->ranks) &&
                          tti_reserve_open(job->world, job->spares, job->ranks - job->world - job->spares,
                                           job->program_of, server.wake);
    if (server.wake < 0 || !has_room)
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
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_nsec += FINALIZE_NS;
    limit.tv_sec += limit.tv_nsec / TTI_NS_PER_SECOND;
    limit.tv_nsec %= TTI_NS_PER_SECOND;
    int result;
    do
        result = sem_clockwait(&done, CLOCK_MONOTONIC, &limit);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

void tti_server_close(void)
{
    if (!finalize_in_time()) return;
    close(server.wake);
    tti_answers_close();
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

int tti_server_wake_fd(void)
{
    return server.wake;
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
