/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmi/pending.h"

#include <pthread.h>
#include <stdlib.h>

#include "pmi/asleep.h"
#include "pmi/client.h"
#include "runtime/base/clock.h"
#include "runtime/base/thread.h"
#include "tutti/error.h"

/* Under the lock of asleep.h, as the ones in it are. */
static tti_link open_ones = {&open_ones, &open_ones};

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
    tti_pmi_lock();
    tti_list_append(&open_ones, &pending->link);
    tti_pmi_unlock();
    return pending;
}

void tti_pmi_pending_finish(tti_pmi_pending *pending, pmix_status_t status, pmix_value_t *value)
{
    tti_pmi_lock();
    pending->status = status;
    pending->value = value;
    pending->finished = true;
    tti_list_remove(&pending->link);
    let_go(pending);
    tti_pmi_unlock();
    tti_pmi_wake();
}

void tti_pmi_pending_on_value(pmix_status_t status, pmix_value_t *value, void *context)
{
    tti_pmi_pending_finish(context, status, value);
}

int tti_pmi_pending_wait(tti_pmi_pending *pending, int rank, int64_t deadline)
{
    int code = 0;
    tti_pmi_lock();
    while (!pending->finished && code == 0) {
        if (tti_pmi_events_failed(rank))
            code = TUTTI_ERR_PEER_FAILED;
        else if (tti_pmi_events_orphaned())
            code = TUTTI_ERR_LAUNCH;
        else if (tti_clock_ns() >= deadline)
            code = TUTTI_ERR_TIMEOUT;
        else
            tti_pmi_sleep(deadline);
    }
    tti_pmi_unlock();
    return code;
}

void tti_pmi_pending_release(tti_pmi_pending *pending)
{
    tti_pmi_lock();
    let_go(pending);
    tti_pmi_unlock();
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
    tti_pmi_lock();
    tti_list_remove(&pending->link);
    tti_pmi_unlock();
    const int error = tti_thread_start(&thread, body, pending);
    if (error == 0) pthread_detach(thread);
    return error;
}

void tti_pmi_pending_close(void)
{
    tti_pmi_lock();
    while (!tti_list_empty(&open_ones)) {
        tti_pmi_pending *pending = TTI_OWNER(open_ones.next, tti_pmi_pending, link);
        tti_list_remove(&pending->link);
        let_go(pending);
    }
    tti_pmi_unlock();
}
