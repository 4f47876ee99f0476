/* SPDX-License-Identifier: BSD-3-Clause */
/* PMIx may be up for the program, too, when this process leaves the job: then what was asked before, and
 * given up, is still answered. */
#include "pmi/client.h"
#include "pmi/pending.h"
#include "tests/unit/expect.h"

static bool others_use_it;

/* In place of PMIx's. */
pmix_status_t PMIx_Finalize(const pmix_info_t info[], size_t count)
{
    (void)info, (void)count;
    return PMIX_SUCCESS;
}

int PMIx_Initialized(void)
{
    return others_use_it;
}

/* What waits holds it all the while, so that it can be looked at. */
static void leave_before_answer(bool comes)
{
    tti_pmi_pending *pending = tti_pmi_pending_new();
    EXPECT(pending != NULL);
    others_use_it = comes;
    tti_pmi_self.open = tti_pmi_self.attached = true;
    tti_pmi_close();
    EXPECT(pending->owners == (comes ? 2 : 1));
    if (comes) tti_pmi_pending_finish(pending, PMIX_SUCCESS, NULL);
    EXPECT(pending->owners == 1 && pending->finished == comes);
    tti_pmi_pending_release(pending);
}

int main(void)
{
    leave_before_answer(true);
    leave_before_answer(false);
    return 0;
}
