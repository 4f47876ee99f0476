/* SPDX-License-Identifier: BSD-3-Clause */
/* A process's last word to tuttirun, which answers it. */
#include "pmi/client.h"
#include "pmi/pending.h"
#include "runtime/base/claim_wire.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"

/* Longest wait for the answer, in ns. What was asked stays in the socket of a tuttirun that is halted, which
 * reads it when it goes on. */
#define ANSWER_NS (10 * (int64_t)TTI_NS_PER_SECOND)

static void on_heard(pmix_status_t status, pmix_info_t info[], size_t count, void *context,
                     pmix_release_cbfunc_t release, void *release_context)
{
    (void)info, (void)count;
    tti_pmi_pending_finish(context, status, NULL);
    if (release != NULL) release(release_context);
}

/* PMIx_Finalize() gives up its own farewell after two seconds, and a server may see a connection end before
 * it reads what came on it: with PMIx 4.2.2 one in some hundred ranks of a busy machine that had left in
 * order counted as lost. */
void tti_pmi_take_leave(const char *word)
{
    if (!tti_pmi_launcher_is_tuttirun()) return;
    tti_pmi_pending *pending = tti_pmi_pending_new();
    if (pending == NULL) return;
    const bool yes = true;
    PMIX_INFO_LOAD(&pending->directive, word, &yes, PMIX_BOOL);
    const pmix_status_t status =
        PMIx_Allocation_request_nb(PMIX_ALLOC_RELEASE, &pending->directive, 1, on_heard, pending);
    if (status != PMIX_SUCCESS) {
        tti_pmi_pending_discard(pending);
        return;
    }
    if (tti_pmi_pending_wait(pending, tti_pmi_self.job.rank, tti_clock_later(tti_clock_ns(), ANSWER_NS)) != 0)
        tti_log(TTI_LOG_INFO, "tuttirun has not answered within %d s that this process leaves; leaving",
                (int)(ANSWER_NS / TTI_NS_PER_SECOND));
    tti_pmi_pending_release(pending);
}
