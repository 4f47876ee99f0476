/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is one process, once. PMIX_NAMESPACE and PMIX_RANK are inherited: another program of Tutti that a
 * rank runs, or its shell after it, would take itself for the rank and be taken for it. So who joins
 * publishes that it is the rank, and who finds that published is refused. (mpirun's and srun's PMIx, of
 * version 4.2 with its dstore, tells such a process nothing of the job, so that it gets no further than
 * pmi/place.c.) Of two that join in the same moment neither finds it; on a node they meet at the segment
 * (runtime/node/view.c). */
#include <string.h>
#include <unistd.h>

#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/clock.h"

#define PROCESS_KEY "tutti.process"
/* A launcher that gives no answer by then cannot tell, and the rank counts as free. */
#define ANSWER_NS (5 * TTI_NS_PER_SECOND)

/* The server that has the ranks of this node answers by itself, and at once. */
static tti_pmi_pending *ask(void)
{
    const bool yes = true;
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return NULL;
    pending->process = tti_pmi_self.me;
    memcpy(pending->key, PROCESS_KEY, sizeof PROCESS_KEY);
    PMIX_INFO_LOAD(&pending->directive, PMIX_IMMEDIATE, &yes, PMIX_BOOL);
    const pmix_status_t status = PMIx_Get_nb(&pending->process, pending->key, &pending->directive, 1,
                                             tti_pmi_pending_on_value, pending);
    if (status == PMIX_SUCCESS) return pending;
    tti_pmi_pending_discard(pending);
    return NULL;
}

/* 0: none has joined as this rank, or as far as the launcher can tell; else what process. */
static pid_t read_answer(const tti_pmi_pending *pending)
{
    pid_t process = 0;
    const pmix_value_t *value = pending->status == PMIX_SUCCESS ? pending->value : NULL;
    if (value != NULL && value->type == PMIX_BYTE_OBJECT && value->data.bo.size == sizeof process)
        memcpy(&process, value->data.bo.bytes, sizeof process);
    return process;
}

static int check_free(void)
{
    const int rank = tti_pmi_self.job.rank;
    tti_pmi_pending *pending = ask();
    if (pending == NULL) return 0;
    const int code = tti_pmi_pending_wait(pending, rank, tti_clock_ns() + ANSWER_NS);
    const pid_t by = code == 0 ? read_answer(pending) : 0;
    tti_pmi_pending_release(pending);
    return by == 0 ? 0 : tti_pmi_fail_taken(rank, by);
}

/* Of a job of several, for as long as this process lives. */
static bool taken;

bool tti_pmi_has_had_seat(void)
{
    return taken;
}

/* In a job of one process nobody can take another one for it. */
int tti_pmi_take_seat(void)
{
    const pid_t self = getpid();
    int code = 0;
    if (tti_pmi_self.job.size > 1) {
        code = check_free();
        if (code == 0) code = tti_pmi_put(PROCESS_KEY, &self, sizeof self);
        taken = code == 0;
    }
    tti_pmi_self.seated = code == 0;
    return code;
}
