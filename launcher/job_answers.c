/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/job_answers.h"

#include <pmix.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "launcher/job_claims.h"
#include "runtime/base/claim_wire.h"
#include "runtime/base/fit.h"

static struct {
    const tti_server_job *job;
    _Atomic unsigned char *members; /* enum tti_server_member of each rank */
    int *guests;                    /* of each rank: processes beside it; PMIx's thread alone */
    _Atomic int first_joined;       /* -1: nobody has */
    int wake;
    pthread_mutex_t lock; /* guards the wish */
    bool wished, taken;
    tti_server_abort wish;
} answers = {.first_joined = -1, .wake = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_ours(const pmix_proc_t *proc)
{
    return PMIX_CHECK_NSPACE(proc->nspace, answers.job->name) && proc->rank < (pmix_rank_t)answers.job->ranks;
}

/* A rank's children inherit its name, and may join under it: Tutti refuses that (pmi/seat.c) once PMIx has
 * let them in, which nobody can forbid PMIx 4.2. Their end says nothing of the rank. */
static bool is_guests_end(const pmix_proc_t *proc)
{
    if (!is_ours(proc) || answers.guests[proc->rank] == 0) return false;
    answers.guests[proc->rank]--;
    return true;
}

static pmix_status_t connected(const pmix_proc_t *proc, void *object, pmix_info_t info[], size_t count,
                               pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)info, (void)count, (void)done, (void)context;
    if (!is_ours(proc)) return PMIX_ERR_NOT_FOUND;
    const enum tti_server_member member = tti_server_member_of((int)proc->rank);
    /* After a rank that has failed none comes in its name that takes part. */
    if (member == TTI_MEMBER_JOINED || member == TTI_MEMBER_FAILED) {
        answers.guests[proc->rank]++;
        return PMIX_OPERATION_SUCCEEDED;
    }
    atomic_store(&answers.members[proc->rank], TTI_MEMBER_JOINED);
    int nobody = -1;
    if (atomic_compare_exchange_strong(&answers.first_joined, &nobody, (int)proc->rank))
        eventfd_write(answers.wake, 1);
    return PMIX_OPERATION_SUCCEEDED;
}

/* The first way that is heard of counts. */
static void note_end(const pmix_proc_t *proc, enum tti_server_member how)
{
    if (!is_ours(proc)) return;
    unsigned char joined = TTI_MEMBER_JOINED;
    atomic_compare_exchange_strong(&answers.members[proc->rank], &joined, (unsigned char)how);
    eventfd_write(answers.wake, 1); /* the rank may have ended, and this be what is waited for */
}

static pmix_status_t finalized(const pmix_proc_t *proc, void *object, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)done, (void)context;
    if (!is_guests_end(proc)) note_end(proc, TTI_MEMBER_LEFT);
    return PMIX_OPERATION_SUCCEEDED;
}

static void vanished(size_t handler, pmix_status_t code, const pmix_proc_t *source, pmix_info_t info[],
                     size_t count, pmix_info_t results[], size_t results_count,
                     pmix_event_notification_cbfunc_fn_t done, void *context)
{
    (void)handler, (void)code, (void)info, (void)count, (void)results, (void)results_count;
    if (!is_guests_end(source)) note_end(source, TTI_MEMBER_VANISHED);
    if (done != NULL) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, context);
}

static pmix_status_t aborted(const pmix_proc_t *proc, void *object, int code, const char text[],
                             pmix_proc_t procs[], size_t count, pmix_op_cbfunc_t done, void *context)
{
    (void)object, (void)procs, (void)count, (void)done, (void)context;
    if (!is_ours(proc)) return PMIX_ERR_NOT_FOUND;
    pthread_mutex_lock(&answers.lock);
    if (!answers.wished) {
        answers.wished = true;
        answers.wish.rank = (int)proc->rank;
        answers.wish.code = code;
        tti_fit(answers.wish.text, sizeof answers.wish.text, text != NULL ? text : "");
    }
    pthread_mutex_unlock(&answers.lock);
    eventfd_write(answers.wake, 1);
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
    if (!is_ours(proc)) return PMIX_ERR_NOT_FOUND;
    const bool left = count > 0 && PMIX_CHECK_KEY(&info[0], TTI_CLAIM_LEAVE);
    const bool failed = count > 0 && PMIX_CHECK_KEY(&info[0], TTI_CLAIM_FAILED);
    if (!left && !failed) return tti_claims_allocate(proc, directive, info, count, done, context);
    note_end(proc, failed ? TTI_MEMBER_FAILED : TTI_MEMBER_LEFT);
    done(PMIX_SUCCESS, NULL, 0, context, NULL, NULL);
    return PMIX_SUCCESS;
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

bool tti_answers_open(const tti_server_job *job, int wake)
{
    answers.job = job;
    answers.wake = wake;
    answers.members = calloc((size_t)job->ranks, sizeof *answers.members);
    answers.guests = calloc((size_t)job->ranks, sizeof *answers.guests);
    return answers.members != NULL && answers.guests != NULL;
}

void tti_answers_close(void)
{
    free((void *)answers.members);
    free(answers.guests);
}

pmix_server_module_t *tti_answers_module(void)
{
    return &module;
}

void tti_answers_hear_losses(void)
{
    pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
    PMIx_Register_event_handler(&lost, 1, NULL, 0, vanished, NULL, NULL);
}

enum tti_server_member tti_server_member_of(int rank)
{
    return (enum tti_server_member)atomic_load(&answers.members[rank]);
}

int tti_server_first_joined(void)
{
    return atomic_load(&answers.first_joined);
}

int tti_server_abort_rank(void)
{
    pthread_mutex_lock(&answers.lock);
    const int rank = answers.wished && !answers.taken ? answers.wish.rank : -1;
    pthread_mutex_unlock(&answers.lock);
    return rank;
}

bool tti_server_take_abort(tti_server_abort *wish)
{
    eventfd_t count;
    eventfd_read(answers.wake, &count);
    pthread_mutex_lock(&answers.lock);
    const bool is_new = answers.wished && !answers.taken;
    if (is_new) *wish = answers.wish;
    answers.taken = answers.taken || is_new;
    pthread_mutex_unlock(&answers.lock);
    return is_new;
}
