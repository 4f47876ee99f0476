/* SPDX-License-Identifier: BSD-3-Clause */
/* Small records to the other ranks, the fence, and the abort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/clock.h"
#include "runtime/base/fit.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"

#define RECORD_LIMIT 4096
/* How long tti_pmi_abort() waits for the launcher to hear it; some kill us before they answer. */
#define ABORT_WAIT_NS (2 * TTI_NS_PER_SECOND)

int tti_pmi_check_key(const char *key)
{
    if (!tti_pmi_self.open) return tti_fail(TUTTI_ERR_STATE, "this process has not joined its job");
    if (key == NULL || key[0] == '\0' || strlen(key) > PMIX_MAX_KEYLEN)
        return tti_fail(TUTTI_ERR_ARG, "a record needs a key of 1 to %d characters", PMIX_MAX_KEYLEN);
    return 0;
}

int tti_pmi_put(const char *key, const void *value, size_t bytes)
{
    const int code = tti_pmi_check_key(key);
    if (code < 0) return code;
    if (value == NULL) return tti_fail(TUTTI_ERR_ARG, "record \"%s\" has no value", key);
    if (bytes > RECORD_LIMIT)
        return tti_fail(TUTTI_ERR_LIMIT, "record \"%s\" has %zu bytes, the limit is %d", key, bytes,
                        RECORD_LIMIT);
    if (!tti_pmi_self.attached) return tti_pmi_singleton_put(key, value, bytes);

    /* PMIx copies the bytes, but its types have no const. */
    pmix_value_t record = {.type = PMIX_BYTE_OBJECT};
    record.data.bo = (pmix_byte_object_t){.bytes = (char *)(uintptr_t)value, .size = bytes};
    pmix_status_t status = PMIx_Put(PMIX_GLOBAL, key, &record);
    if (status == PMIX_SUCCESS) status = PMIx_Commit();
    if (status != PMIX_SUCCESS)
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not take record \"%s\" of %zu bytes (%s)", key,
                        bytes, PMIx_Error_string(status));
    return 0;
}

/* Where there are processes in reserve, which come to no fence, the ranks are named, and with them the
 * launcher's observer (launcher/job_info.h), whose number is behind all others'. */
pmix_status_t tti_pmi_fence_begin(const pmix_info_t *directives, size_t count, pmix_op_cbfunc_t done,
                                  void *context)
{
    const int world = tti_job_world(&tti_pmi_self.job);
    if (tti_pmi_self.job.reserve == 0) return PMIx_Fence_nb(NULL, 0, directives, count, done, context);
    pmix_proc_t *who = malloc(((size_t)world + 1) * sizeof *who);
    if (who == NULL) return PMIX_ERR_NOMEM;
    for (int i = 0; i < world; i++)
        who[i] = tti_pmi_process((pmix_rank_t)i);
    who[world] = tti_pmi_process((pmix_rank_t)tti_pmi_self.job.size);
    const pmix_status_t status = PMIx_Fence_nb(who, (size_t)world + 1, directives, count, done, context);
    free(who);
    return status;
}

static void on_done(pmix_status_t status, void *context)
{
    tti_pmi_pending_finish(context, status, NULL);
}

static int fail_fence(int code)
{
    if (code == TUTTI_ERR_PEER_FAILED) return tti_fail(code, "a rank died before all came to the fence");
    return tti_fail(code, "the launcher is gone: the fence will not end");
}

/* A death that is known decides before the launcher's word: with the last survivor that leaves, it ends a
 * fence of those that are left, as broken off or even as complete. */
int tti_pmi_fence(bool collect)
{
    if (!tti_pmi_self.open) return tti_fail(TUTTI_ERR_STATE, "this process has not joined its job");
    if (!tti_pmi_self.attached) return 0;
    if (tti_pmi_events_failed(-1)) return fail_fence(TUTTI_ERR_PEER_FAILED);
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to wait for the other ranks");
    PMIX_INFO_LOAD(&pending->directive, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);

    pmix_status_t status = tti_pmi_fence_begin(&pending->directive, 1, on_done, pending);
    if (status != PMIX_SUCCESS) {
        tti_pmi_pending_discard(pending);
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher refuses a fence (%s)", PMIx_Error_string(status));
    }
    const int code = tti_pmi_pending_wait(pending, -1, INT64_MAX);
    status = pending->status;
    tti_pmi_pending_release(pending);
    if (code < 0) return fail_fence(code);
    if (status != PMIX_SUCCESS && tti_pmi_events_failed(-1)) return fail_fence(TUTTI_ERR_PEER_FAILED);
    if (status != PMIX_SUCCESS)
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher broke off a fence (%s)", PMIx_Error_string(status));
    return 0;
}

static void *abort_thread(void *argument)
{
    tti_pmi_pending *pending = argument;
    tti_pmi_pending_finish(pending, PMIx_Abort(pending->status, pending->key, NULL, 0), NULL);
    return NULL;
}

void tti_pmi_abort(int code, const char *why)
{
    const char *reason = why != NULL && why[0] != '\0' ? why : "no reason given";
    tti_log(TTI_LOG_ERROR, "abort with status %d: %s", code, reason);
    tti_pmi_pending *pending = tti_pmi_self.attached ? tti_pmi_pending_new() : NULL;
    if (pending == NULL) return;
    pending->status = code;
    tti_fit(pending->key, sizeof pending->key, reason);
    if (tti_pmi_pending_start(pending, abort_thread) != 0) {
        tti_pmi_pending_discard(pending);
    } else {
        /* Of no rank's death, since that may be why we abort: this rank's own never comes. */
        tti_pmi_pending_wait(pending, tti_pmi_self.job.rank, tti_clock_ns() + ABORT_WAIT_NS);
        tti_pmi_pending_release(pending);
    }
}
