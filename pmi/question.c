/* SPDX-License-Identifier: BSD-3-Clause */
/* Asking for the records of other ranks: a question that is put again until there is an answer, and looked
 * after by whoever wants it, with or without waiting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/asleep.h"
#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/clock.h"
#include "runtime/base/status.h"

/* Pause before a record that was not there is asked for again: doubles from the first to the last. */
#define FIRST_PAUSE_NS INT64_C(500000)
#define LAST_PAUSE_NS INT64_C(50000000)

struct tti_pmi_question {
    tti_pmi_pending *pending; /* NULL between two tries */
    int64_t again, pause;     /* when the next one is due, and how long after the last */
    int64_t deadline, timeout_ns;
    int rank;
    pmix_key_t key;
};

/* PMIx counts in whole seconds; one more, so that the limit that counts is ours. */
static int limit_seconds(int64_t ns)
{
    const int64_t seconds = ns / TTI_NS_PER_SECOND + 2;
    return seconds < 100000 ? (int)seconds : 0;
}

static int put_question(tti_pmi_question *q)
{
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return TUTTI_ERR_NO_MEMORY;
    const int limit = limit_seconds(q->deadline - tti_clock_ns());
    pending->process = tti_pmi_process((pmix_rank_t)q->rank);
    snprintf(pending->key, sizeof pending->key, "%s", q->key);
    PMIX_INFO_LOAD(&pending->directive, PMIX_TIMEOUT, &limit, PMIX_INT);

    const pmix_status_t status = PMIx_Get_nb(&pending->process, pending->key, &pending->directive, 1,
                                             tti_pmi_pending_on_value, pending);
    if (status != PMIX_SUCCESS) {
        tti_pmi_pending_discard(pending);
        return TUTTI_ERR_LAUNCH;
    }
    q->pending = pending;
    return 0;
}

/* Some launchers say "not found" at once where the rank is still on its way to publish, others hold the
 * question until it has. */
static int put_off(tti_pmi_question *q)
{
    const int64_t now = tti_clock_ns();
    tti_pmi_pending_release(q->pending);
    q->pending = NULL;
    q->again = now + q->pause;
    if (q->pause < LAST_PAUSE_NS) q->pause *= 2;
    if (tti_pmi_events_orphaned()) return TUTTI_ERR_LAUNCH;
    return now >= q->deadline ? TUTTI_ERR_TIMEOUT : TTI_PMI_NOT_YET;
}

/* 0 with an answer in q->pending, TTI_PMI_NOT_YET, or an error. */
static int look(tti_pmi_question *q)
{
    if (q->pending == NULL) {
        if (tti_pmi_events_failed(q->rank)) return TUTTI_ERR_PEER_FAILED;
        if (tti_clock_ns() < q->again) return TTI_PMI_NOT_YET;
        const int code = put_question(q);
        if (code < 0) return code;
    }
    const int code = tti_pmi_pending_wait(q->pending, q->rank, 0);
    if (code == TUTTI_ERR_TIMEOUT) return tti_clock_ns() >= q->deadline ? code : TTI_PMI_NOT_YET;
    if (code < 0) return code;
    return q->pending->status == PMIX_SUCCESS ? 0 : put_off(q);
}

static int explain(int code, const tti_pmi_question *q)
{
    switch (code) {
    case TUTTI_ERR_PEER_FAILED:
        return tti_fail(code, "rank %d died before it published \"%s\"", q->rank, q->key);
    case TUTTI_ERR_TIMEOUT:
        return tti_fail(code, "rank %d published no \"%s\" within %.3f s; it is stopped, or slow to start",
                        q->rank, q->key, (double)q->timeout_ns / (double)TTI_NS_PER_SECOND);
    case TUTTI_ERR_NO_MEMORY: return tti_fail(code, "no memory to ask rank %d for \"%s\"", q->rank, q->key);
    default:
        return tti_fail(code, "the launcher is gone: \"%s\" of rank %d cannot be asked for", q->key, q->rank);
    }
}

static int take(const tti_pmi_question *q, void *value, size_t *bytes)
{
    const pmix_value_t *record = q->pending->value;
    if (record == NULL || record->type != PMIX_BYTE_OBJECT)
        return tti_fail(TUTTI_ERR_LAUNCH, "\"%s\" of rank %d is no record of Tutti's", q->key, q->rank);
    const pmix_byte_object_t *object = &record->data.bo;
    if (object->size > *bytes)
        return tti_fail(TUTTI_ERR_LIMIT, "record \"%s\" of rank %d is %zu bytes, room is for %zu", q->key,
                        q->rank, object->size, *bytes);
    if (object->size > 0) memcpy(value, object->bytes, object->size);
    *bytes = object->size;
    return 0;
}

static int check(int rank, const char *key)
{
    const int code = tti_pmi_check_key(key);
    if (code < 0) return code;
    if (rank >= 0 && rank < tti_pmi_self.job.size) return 0;
    return tti_fail(TUTTI_ERR_RANK, "rank %d is not in 0 … %d", rank, tti_pmi_self.job.size - 1);
}

int tti_pmi_ask(int rank, const char *key, int64_t timeout_ns, tti_pmi_question **question)
{
    const int code = check(rank, key);
    if (code < 0) return code;
    tti_pmi_question *q = calloc(1, sizeof *q);
    if (q == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to ask rank %d for \"%s\"", rank, key);
    const int64_t now = tti_clock_ns();
    q->rank = rank;
    snprintf(q->key, sizeof q->key, "%s", key);
    q->timeout_ns = timeout_ns;
    q->deadline = timeout_ns < INT64_MAX - now ? now + timeout_ns : INT64_MAX;
    q->again = now;
    q->pause = FIRST_PAUSE_NS;
    *question = q;
    return 0;
}

int tti_pmi_answer(tti_pmi_question *q, void *value, size_t *bytes)
{
    int code;
    if (!tti_pmi_self.attached) {
        code = tti_pmi_singleton_get(q->key, value, bytes);
    } else {
        code = look(q);
        if (code == TTI_PMI_NOT_YET) return code;
        code = code < 0 ? explain(code, q) : take(q, value, bytes);
    }
    tti_pmi_forget(q);
    return code;
}

void tti_pmi_forget(tti_pmi_question *q)
{
    if (q == NULL) return;
    if (q->pending != NULL) tti_pmi_pending_release(q->pending);
    free(q);
}

static void pause_until(int64_t deadline)
{
    tti_pmi_lock();
    tti_pmi_sleep(deadline);
    tti_pmi_unlock();
}

int tti_pmi_get(int rank, const char *key, void *value, size_t *bytes, int64_t timeout_ns)
{
    tti_pmi_question *q;
    int code = value != NULL ? tti_pmi_ask(rank, key, timeout_ns, &q)
                             : tti_fail(TUTTI_ERR_ARG, "a record needs a place to go to");
    if (code < 0) return code;
    while ((code = tti_pmi_answer(q, value, bytes)) == TTI_PMI_NOT_YET) {
        if (q->pending != NULL)
            tti_pmi_pending_wait(q->pending, rank, q->deadline);
        else
            pause_until(q->again < q->deadline ? q->again : q->deadline);
    }
    return code;
}
