/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that take the places of dead ranks, as tuttirun gives them (launcher/reserve.h). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/claim_wire.h"
#include "runtime/base/status.h"

static struct {
    pthread_mutex_t lock; /* guards `notify`, which PMIx's thread calls */
    void (*notify)(void);
    tti_pmi_pending *pending;
} claim = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void set_notify(void (*notify)(void))
{
    pthread_mutex_lock(&claim.lock);
    claim.notify = notify;
    pthread_mutex_unlock(&claim.lock);
}

/* The answer's record, for the pending to keep. */
static pmix_value_t *copy_record(const pmix_info_t info[], size_t count)
{
    pmix_value_t *copy = NULL;
    for (size_t i = 0; i < count && copy == NULL; i++) {
        if (!PMIX_CHECK_KEY(&info[i], TTI_CLAIM_KEY)) continue;
        PMIX_VALUE_CREATE(copy, 1);
        if (copy == NULL || PMIx_Value_xfer(copy, &info[i].value) == PMIX_SUCCESS) break;
        PMIX_VALUE_FREE(copy, 1);
        break;
    }
    return copy;
}

static void on_answer(pmix_status_t status, pmix_info_t info[], size_t count, void *context,
                      pmix_release_cbfunc_t release, void *release_context)
{
    tti_pmi_pending_finish(context, status, copy_record(info, count));
    if (release != NULL) release(release_context);
    pthread_mutex_lock(&claim.lock);
    if (claim.notify != NULL) claim.notify();
    pthread_mutex_unlock(&claim.lock);
}

static int no_launcher(pmix_status_t status)
{
    return tti_fail(TUTTI_ERR_LAUNCH, "the launcher does not take part in restoring (%s)",
                    PMIx_Error_string(status));
}

/* Sends a request whose only information is in `pending`, which is gone if PMIx refuses it. */
static pmix_status_t request(pmix_alloc_directive_t directive, tti_pmi_pending *pending)
{
    const pmix_status_t status =
        PMIx_Allocation_request_nb(directive, &pending->directive, 1, on_answer, pending);
    if (status != PMIX_SUCCESS) tti_pmi_pending_discard(pending);
    return status;
}

static int ask(tti_pmi_pending *pending)
{
    const pmix_status_t status = request(PMIX_ALLOC_EXTEND, pending);
    return status == PMIX_SUCCESS ? 0 : no_launcher(status);
}

static int no_memory(void)
{
    return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory to ask the launcher for other processes");
}

/* Returns how many there were, but for those that are new where the old ones are asked for. */
static int read_words(tti_wire_in *in, int most, bool old_alone, int *words)
{
    int count = 0;
    for (int i = 0; i < most && in->at < in->end && !in->failed; i++) {
        const uint32_t word = (uint32_t)tti_wire_take_uint(in, 4);
        const uint32_t process = word & ~TTI_CLAIM_LOST;
        in->failed = in->failed || process >= (uint32_t)tti_pmi_self.job.size;
        if (!old_alone || process == word) words[count++] = (int)process;
    }
    return count;
}

static int read_answer(const pmix_byte_object_t *record, bool old_alone, int **members, int *count, int *dead)
{
    tti_wire_in in = {(const uint8_t *)record->bytes, (const uint8_t *)record->bytes + record->size, false};
    const bool granted = tti_wire_take_uint(&in, 1) != 0;
    *count = (int)tti_wire_take_uint(&in, 4);
    if (in.failed || *count < 0 || *count > tti_pmi_self.job.size)
        return no_launcher(PMIX_ERR_UNPACK_FAILURE);
    if (!granted)
        return tti_fail(
            TUTTI_ERR_LIMIT,
            "no spare is left to take the place of a dead rank: start the job with more by tuttirun "
            "--spares or --respawn, or go on with tutti_comm_shrink()");
    const int room = *count + tti_pmi_self.job.size;
    *members = malloc((size_t)room * sizeof **members);
    if (*members == NULL) return no_memory();
    *count = read_words(&in, *count, old_alone, *members);
    *dead = read_words(&in, tti_pmi_self.job.size, false, *members + *count);
    if (!in.failed && in.at == in.end) return 0;
    free(*members);
    *members = NULL;
    return no_launcher(PMIX_ERR_UNPACK_FAILURE);
}

static int take_answer(bool old_alone, int **members, int *count, int *dead)
{
    const tti_pmi_pending *pending = claim.pending;
    if (pending->status != PMIX_SUCCESS || pending->value == NULL) return no_launcher(pending->status);
    return read_answer(&pending->value->data.bo, old_alone, members, count, dead);
}

static void end(void)
{
    set_notify(NULL);
    tti_pmi_pending_release(claim.pending);
    claim.pending = NULL;
}

int tti_pmi_await_call(void)
{
    const bool yes = true;
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return no_memory();
    PMIX_INFO_LOAD(&pending->directive, TTI_CLAIM_WAIT, &yes, PMIX_BOOL);
    int code = ask(pending);
    if (code < 0) return code;
    claim.pending = pending;
    code = tti_pmi_pending_wait(pending, tti_pmi_self.job.rank, INT64_MAX);
    if (code < 0)
        tti_fail(code, "the launcher is gone: nobody needs this process any more");
    else
        code = take_answer(true, &tti_pmi_self.allies, &tti_pmi_self.job.allies_count,
                           &tti_pmi_self.job.allies_dead);
    tti_pmi_self.job.allies = tti_pmi_self.allies;
    end();
    return code;
}

static int begin(const tti_pmi_claim *wish)
{
    const size_t bytes = tti_claim_question_bytes(wish->count);
    uint8_t *record = malloc(bytes);
    tti_pmi_pending *pending = record != NULL ? tti_pmi_pending_new() : NULL;
    if (pending == NULL) {
        free(record);
        return no_memory();
    }
    tti_wire_out out = {record, record + bytes, false};
    tti_wire_put_uint(&out, wish->context, 8);
    tti_wire_put_uint(&out, wish->instead, 8);
    tti_wire_put_uint(&out, (uint64_t)wish->count, 4);
    for (int i = 0; i < wish->count; i++)
        tti_wire_put_uint(&out,
                          (uint32_t)wish->members[i] | (wish->is_lost(wish->of, i) ? TTI_CLAIM_LOST : 0), 4);
    pmix_byte_object_t question = {.bytes = (char *)record, .size = bytes};
    PMIX_INFO_LOAD(&pending->directive, TTI_CLAIM_KEY, &question, PMIX_BYTE_OBJECT); /* copies */
    free(record);
    claim.pending = pending;
    const int code = ask(pending);
    if (code < 0) claim.pending = NULL;
    return code;
}

int tti_pmi_check_reserve(const char *call)
{
    if (tti_pmi_self.job.reserve > 0) return 0;
    return tti_fail(TUTTI_ERR_UNSUPPORTED,
                    "%s: there are no processes for the places of dead ranks (launcher: %s); start the job "
                    "with tuttirun --spares N or --respawn, or go on with tutti_comm_shrink()",
                    call, tti_pmi_self.job.launcher);
}

int tti_pmi_claim_begin(const tti_pmi_claim *wish, void (*notify)(void))
{
    set_notify(notify);
    return begin(wish);
}

static int finish(int code, int **members, int *count, int *dead)
{
    if (code == TUTTI_ERR_TIMEOUT) return TTI_PMI_NOT_YET;
    if (code < 0)
        tti_fail(code, "the launcher is gone: it has no processes for dead ranks any more");
    else
        code = take_answer(false, members, count, dead);
    end();
    return code;
}

int tti_pmi_claim_test(int **members, int *count, int *dead)
{
    return finish(tti_pmi_pending_wait(claim.pending, tti_pmi_self.job.rank, 0), members, count, dead);
}

int tti_pmi_return_begin(uint64_t context, void (*notify)(void))
{
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return TUTTI_ERR_LAUNCH;
    PMIX_INFO_LOAD(&pending->directive, TTI_CLAIM_RETURN, &context, PMIX_UINT64);
    set_notify(notify);
    if (request(PMIX_ALLOC_RELEASE, pending) != PMIX_SUCCESS) return TUTTI_ERR_LAUNCH;
    claim.pending = pending;
    return 0;
}

int tti_pmi_return_test(void)
{
    if (tti_pmi_pending_wait(claim.pending, tti_pmi_self.job.rank, 0) == TUTTI_ERR_TIMEOUT)
        return TTI_PMI_NOT_YET;
    end();
    return 0;
}

int tti_pmi_claim_recall(uint64_t context, int **members, int *count, int *dead)
{
    const tti_pmi_claim question = {.context = context};
    const int code = begin(&question);
    if (code < 0) return code;
    return finish(tti_pmi_pending_wait(claim.pending, tti_pmi_self.job.rank, INT64_MAX), members, count,
                  dead);
}
