/* SPDX-License-Identifier: BSD-3-Clause */
/* The fence before leaving, without waiting in it: the caller makes progress meanwhile. */
#include <pthread.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/status.h"

static struct {
    pthread_mutex_t lock; /* guards `notify`, which PMIx's thread calls */
    void (*notify)(void);
    tti_pmi_pending *pending;
} farewell = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void set_notify(void (*notify)(void))
{
    pthread_mutex_lock(&farewell.lock);
    farewell.notify = notify;
    pthread_mutex_unlock(&farewell.lock);
}

static void on_all_here(pmix_status_t status, void *context)
{
    tti_pmi_pending_finish(context, status, NULL);
    pthread_mutex_lock(&farewell.lock);
    if (farewell.notify != NULL) farewell.notify();
    pthread_mutex_unlock(&farewell.lock);
}

int tti_pmi_farewell_begin(void (*notify)(void))
{
    const bool in_world = tti_pmi_self.job.rank < tti_job_world(&tti_pmi_self.job);
    if (!tti_pmi_self.attached || !in_world) return TTI_PMI_FAREWELL_OVER;
    farewell.pending = tti_pmi_pending_new();
    if (farewell.pending == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to take leave of the other ranks");
    set_notify(notify);
    const pmix_status_t status = tti_pmi_fence_begin(NULL, 0, on_all_here, farewell.pending);
    if (status == PMIX_SUCCESS) return 0;
    set_notify(NULL);
    tti_pmi_pending_discard(farewell.pending);
    farewell.pending = NULL;
    return tti_fail(TUTTI_ERR_LAUNCH, "the launcher refuses a fence (%s)", PMIx_Error_string(status));
}

bool tti_pmi_farewell_test(void)
{
    return tti_pmi_pending_wait(farewell.pending, -1, 0) != TUTTI_ERR_TIMEOUT;
}

void tti_pmi_farewell_end(void)
{
    set_notify(NULL);
    tti_pmi_pending_release(farewell.pending);
    farewell.pending = NULL;
}
