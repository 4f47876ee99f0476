/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmi/pending.h"

#include <pthread.h>
#include <stdlib.h>

#include "pmi/client.h"
#include "runtime/base/clock.h"
#include "runtime/base/thread.h"
#include "tutti/error.h"

/* One lock and one condition for all: waits here last milliseconds and are few. The condition runs on the
 * monotonic clock, so that setting the time of day ends no wait early or late. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_cond_t changed;
static tti_link open_ones = {&open_ones, &open_ones};

static void init_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void destroy(tti_pmi_pending *pending)
{
    if (pending->value != NULL) PMIX_VALUE_FREE(pending->value, 1);
    PMIX_INFO_DESTRUCT(&pending->directive);
    free(pending);
}

static void let_go(tti_pmi_pending *pending)
{
    if (--pending->owners == 0) destroy(pending);
}

tti_pmi_pending *tti_pmi_pending_new(void)
{
    tti_pmi_pending *pending = calloc(1, sizeof *pending);
    if (pending == NULL) return NULL;
    pending->owners = 2;
    pthread_once(&once, init_condition);
    pthread_mutex_lock(&lock);
    tti_list_append(&open_ones, &pending->link);
    pthread_mutex_unlock(&lock);
    return pending;
}

void tti_pmi_pending_finish(tti_pmi_pending *pending, pmix_status_t status, pmix_value_t *value)
{
    pthread_mutex_lock(&lock);
    pending->status = status;
    pending->value = value;
    pending->finished = true;
    tti_list_remove(&pending->link);
    pthread_cond_broadcast(&changed);
    let_go(pending);
    pthread_mutex_unlock(&lock);
}

static struct timespec as_timespec(int64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / TTI_NS_PER_SECOND),
                             .tv_nsec = (long)(ns % TTI_NS_PER_SECOND)};
}

int tti_pmi_pending_wait(tti_pmi_pending *pending, int rank, int64_t deadline)
{
    const struct timespec until = as_timespec(deadline);
    int code = 0;
    pthread_mutex_lock(&lock);
    while (!pending->finished && code == 0) {
        if (tti_pmi_events_failed(rank))
            code = TUTTI_ERR_PEER_FAILED;
        else if (tti_pmi_events_orphaned())
            code = TUTTI_ERR_LAUNCH;
        else if (tti_clock_ns() >= deadline)
            code = TUTTI_ERR_TIMEOUT;
        else
            pthread_cond_timedwait(&changed, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    return code;
}

void tti_pmi_pending_release(tti_pmi_pending *pending)
{
    pthread_mutex_lock(&lock);
    let_go(pending);
    pthread_mutex_unlock(&lock);
}

void tti_pmi_pending_discard(tti_pmi_pending *pending)
{
    tti_pmi_pending_finish(pending, PMIX_ERROR, NULL);
    tti_pmi_pending_release(pending);
}

int tti_pmi_pending_start(tti_pmi_pending *pending, void *(*body)(void *))
{
    pthread_t thread;
    /* The thread always finishes, if late: its share is its own to let go, not tti_pmi_pending_close()'s. */
    pthread_mutex_lock(&lock);
    tti_list_remove(&pending->link);
    pthread_mutex_unlock(&lock);
    const int error = tti_thread_start(&thread, body, pending);
    if (error == 0) pthread_detach(thread);
    return error;
}

void tti_pmi_pending_sleep(int64_t deadline)
{
    const struct timespec until = as_timespec(deadline);
    pthread_once(&once, init_condition);
    pthread_mutex_lock(&lock);
    pthread_cond_timedwait(&changed, &lock, &until);
    pthread_mutex_unlock(&lock);
}

void tti_pmi_pending_wake(void)
{
    pthread_once(&once, init_condition);
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void tti_pmi_pending_close(void)
{
    pthread_mutex_lock(&lock);
    while (!tti_list_empty(&open_ones)) {
        tti_pmi_pending *pending = TTI_OWNER(open_ones.next, tti_pmi_pending, link);
        tti_list_remove(&pending->link);
        let_go(pending);
    }
    pthread_mutex_unlock(&lock);
}
