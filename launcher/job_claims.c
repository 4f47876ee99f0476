/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher/job_claims.h"

#include <pmix.h>
#include <stdlib.h>

#include "launcher/reserve.h"
#include "runtime/base/claim_wire.h"

/* Who sleeps until it is claimed. PMIx's thread alone. */
typedef struct {
    pmix_info_cbfunc_t done;
    void *context;
} sleeper;

static sleeper *sleepers;
static int sleepers_count;

bool tti_claims_open(int processes)
{
    sleepers = calloc((size_t)processes, sizeof *sleepers);
    sleepers_count = processes;
    return sleepers != NULL;
}

void tti_claims_close(void)
{
    free(sleepers);
    sleepers = NULL;
}

static void release(void *answer)
{
    pmix_info_t *info = answer;
    PMIX_INFO_FREE(info, 1);
}

/* Takes over the record. */
static void answer(pmix_info_cbfunc_t done, void *context, void *record, size_t bytes)
{
    pmix_byte_object_t object = {.bytes = record, .size = bytes};
    pmix_info_t *info;
    PMIX_INFO_CREATE(info, 1);
    if (info != NULL) PMIX_INFO_LOAD(info, TTI_CLAIM_KEY, &object, PMIX_BYTE_OBJECT); /* copies */
    free(record);
    done(info != NULL ? PMIX_SUCCESS : PMIX_ERR_NOMEM, info, info != NULL, context, release, info);
}

static void wake_if_called(int process)
{
    const sleeper s = sleepers[process];
    void *record;
    size_t bytes;
    if (s.done == NULL || !tti_reserve_call_of(process, &record, &bytes)) return;
    sleepers[process] = (sleeper){0};
    answer(s.done, s.context, record, bytes);
}

static pmix_status_t claim(int asker, const pmix_byte_object_t *question, pmix_info_cbfunc_t done,
                           void *context)
{
    void *record;
    size_t bytes;
    if (!tti_reserve_ask(asker, question->bytes, question->size, &record, &bytes)) return PMIX_ERR_NOT_FOUND;
    for (int i = 0; i < sleepers_count; i++)
        wake_if_called(i);
    answer(done, context, record, bytes);
    return PMIX_SUCCESS;
}

pmix_status_t tti_claims_allocate(const pmix_proc_t *asker, pmix_alloc_directive_t directive,
                                  const pmix_info_t info[], size_t count, pmix_info_cbfunc_t done,
                                  void *context)
{
    (void)directive;
    const int process = (int)asker->rank;
    for (size_t i = 0; i < count; i++) {
        if (PMIX_CHECK_KEY(&info[i], TTI_CLAIM_WAIT)) {
            sleepers[process] = (sleeper){done, context};
            wake_if_called(process);
            return PMIX_SUCCESS;
        }
        if (PMIX_CHECK_KEY(&info[i], TTI_CLAIM_RETURN) && info[i].value.type == PMIX_UINT64) {
            tti_reserve_return(info[i].value.data.uint64);
            done(PMIX_SUCCESS, NULL, 0, context, NULL, NULL);
            return PMIX_SUCCESS;
        }
        if (PMIX_CHECK_KEY(&info[i], TTI_CLAIM_KEY) && info[i].value.type == PMIX_BYTE_OBJECT)
            return claim(process, &info[i].value.data.bo, done, context);
    }
    return PMIX_ERR_NOT_SUPPORTED;
}
