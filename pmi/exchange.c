/* SPDX-License-Identifier: BSD-3-Clause */
/* Small records to and from the other ranks, the fence, and the abort. */
#include <stdio.h>
#include <string.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/base/status.h"

#define RECORD_LIMIT 4096
/* Pause before a record that was not there is asked for again: doubles from the first to the last. */
#define FIRST_PAUSE_NS INT64_C(500000)
#define LAST_PAUSE_NS INT64_C(50000000)
/* How long tti_pmi_abort() waits for the launcher to hear it; some kill us before they answer. */
#define ABORT_WAIT_NS (2 * TTI_NS_PER_SECOND)

static int check(const char *key, const void *value)
{
    if (!tti_pmi_self.open) return tti_fail(TUTTI_ERR_STATE, "this process has not joined its job");
    if (value == NULL || key == NULL || key[0] == '\0' || strlen(key) > PMIX_MAX_KEYLEN)
        return tti_fail(TUTTI_ERR_ARG, "a record needs a value and a key of 1 to %d characters",
                        PMIX_MAX_KEYLEN);
    return 0;
}

int tti_pmi_put(const char *key, const void *value, size_t bytes)
{
    const int code = check(key, value);
    if (code < 0) return code;
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

static void on_value(pmix_status_t status, pmix_value_t *value, void *context)
{
    tti_pmi_pending_finish(context, status, value);
}

/* PMIx counts in whole seconds; one more, so that the limit that counts is ours. */
static int limit_seconds(int64_t ns)
{
    const int64_t seconds = ns / TTI_NS_PER_SECOND + 2;
    return seconds < 100000 ? (int)seconds : 0;
}

/* Asks once. 0 with *answer to be released, or negative without it. */
static int ask(int rank, const char *key, int64_t deadline, tti_pmi_pending **answer)
{
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return TUTTI_ERR_NO_MEMORY;
    const int limit = limit_seconds(deadline - tti_clock_ns());
    pending->process = tti_pmi_process((pmix_rank_t)rank);
    snprintf(pending->key, sizeof pending->key, "%s", key);
    PMIX_INFO_LOAD(&pending->directive, PMIX_TIMEOUT, &limit, PMIX_INT);

    const pmix_status_t status =
        PMIx_Get_nb(&pending->process, pending->key, &pending->directive, 1, on_value, pending);
    if (status != PMIX_SUCCESS) {
        tti_pmi_pending_discard(pending);
        return TUTTI_ERR_LAUNCH;
    }
    const int code = tti_pmi_pending_wait(pending, rank, deadline);
    if (code < 0)
        tti_pmi_pending_release(pending);
    else
        *answer = pending;
    return code;
}

/* Asks until there is an answer: some launchers say "not found" at once where the rank is still on its way to
 * publish, others hold the question until it has. */
static int ask_until(int rank, const char *key, int64_t deadline, tti_pmi_pending **answer)
{
    if (tti_pmi_events_failed(rank)) return TUTTI_ERR_PEER_FAILED;
    for (int64_t pause = FIRST_PAUSE_NS;; pause = pause < LAST_PAUSE_NS ? 2 * pause : LAST_PAUSE_NS) {
        const int code = ask(rank, key, deadline, answer);
        if (code < 0 || (*answer)->status == PMIX_SUCCESS) return code;
        tti_pmi_pending_release(*answer);
        const int64_t now = tti_clock_ns();
        if (now >= deadline) return TUTTI_ERR_TIMEOUT;
        tti_pmi_pending_sleep(now + pause < deadline ? now + pause : deadline);
    }
}

static int explain(int code, int rank, const char *key, int64_t timeout_ns)
{
    switch (code) {
    case TUTTI_ERR_PEER_FAILED: return tti_fail(code, "rank %d died before it published \"%s\"", rank, key);
    case TUTTI_ERR_TIMEOUT:
        return tti_fail(code, "rank %d published no \"%s\" within %.3f s; it is stopped, or slow to start",
                        rank, key, (double)timeout_ns / (double)TTI_NS_PER_SECOND);
    case TUTTI_ERR_NO_MEMORY: return tti_fail(code, "no memory to ask rank %d for \"%s\"", rank, key);
    default: return tti_fail(code, "the launcher is gone: \"%s\" of rank %d cannot be asked for", key, rank);
    }
}

static int take(const tti_pmi_pending *answer, int rank, const char *key, void *value, size_t *bytes)
{
    const pmix_value_t *record = answer->value;
    if (record == NULL || record->type != PMIX_BYTE_OBJECT)
        return tti_fail(TUTTI_ERR_LAUNCH, "\"%s\" of rank %d is no record of Tutti's", key, rank);
    const pmix_byte_object_t *object = &record->data.bo;
    if (object->size > *bytes)
        return tti_fail(TUTTI_ERR_LIMIT, "record \"%s\" of rank %d is %zu bytes, room is for %zu", key, rank,
                        object->size, *bytes);
    if (object->size > 0) memcpy(value, object->bytes, object->size);
    *bytes = object->size;
    return 0;
}

int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns)
{
    int code = check(key, value);
    if (code < 0) return code;
    if (rank < 0 || rank >= tti_pmi_self.job.size)
        return tti_fail(TUTTI_ERR_RANK, "rank %d is not in 0..%d", rank, tti_pmi_self.job.size - 1);
    if (!tti_pmi_self.attached) return tti_pmi_singleton_get(key, value, bytes);

    const int64_t deadline = tti_clock_later(tti_clock_ns(), timeout_ns);
    tti_pmi_pending *answer = NULL;
    code = ask_until(rank, key, deadline, &answer);
    if (code < 0) return explain(code, rank, key, timeout_ns);
    code = take(answer, rank, key, value, bytes);
    tti_pmi_pending_release(answer);
    return code;
}

static void on_done(pmix_status_t status, void *context)
{
    tti_pmi_pending_finish(context, status, NULL);
}

int tti_pmi_fence(bool collect)
{
    if (!tti_pmi_self.open) return tti_fail(TUTTI_ERR_STATE, "this process has not joined its job");
    if (!tti_pmi_self.attached) return 0;
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to wait for the other ranks");
    PMIX_INFO_LOAD(&pending->directive, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);

    pmix_status_t status = PMIx_Fence_nb(NULL, 0, &pending->directive, 1, on_done, pending);
    if (status != PMIX_SUCCESS) {
        tti_pmi_pending_discard(pending);
        return tti_fail(TUTTI_ERR_LAUNCH, "the launcher refuses a fence (%s)", PMIx_Error_string(status));
    }
    const int code = tti_pmi_pending_wait(pending, -1, INT64_MAX);
    status = pending->status;
    tti_pmi_pending_release(pending);
    if (code == TUTTI_ERR_PEER_FAILED) return tti_fail(code, "a rank died before all came to the fence");
    if (code < 0) return tti_fail(code, "the launcher is gone: the fence will not end");
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
    snprintf(pending->key, sizeof pending->key, "%s", reason);
    if (tti_pmi_pending_start(pending, abort_thread) != 0) {
        tti_pmi_pending_discard(pending);
    } else {
        /* Of no rank's death, since that may be why we abort: this rank's own never comes. */
        tti_pmi_pending_wait(pending, tti_pmi_self.job.rank, tti_clock_ns() + ABORT_WAIT_NS);
        tti_pmi_pending_release(pending);
    }
}
