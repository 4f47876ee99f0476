/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher lets down rank 1, and no other, when they ask for a process in the place of a dead rank: all
 * are told that it is the launcher, and when it works again they get one: the only one there is, which the
 * other ranks had been given before and gave back. What else goes wrong there before the call ends is not its
 * reason. Asking for a process and giving it back are wrapped by the linker. */
#include <stdbool.h>

#include "pmi/pmi.h"
#include "runtime/base/status.h"
#include "tests/job/lose.h"

static bool is_down;

int __real_tti_pmi_claim_begin(const tti_pmi_claim *claim, void (*notify)(void));
int __wrap_tti_pmi_claim_begin(const tti_pmi_claim *claim, void (*notify)(void));

int __wrap_tti_pmi_claim_begin(const tti_pmi_claim *claim, void (*notify)(void))
{
    if (is_down && rank == 1) return tti_fail(TUTTI_ERR_LAUNCH, "for this test");
    return __real_tti_pmi_claim_begin(claim, notify);
}

int __real_tti_pmi_return_begin(uint64_t context, void (*notify)(void));
int __wrap_tti_pmi_return_begin(uint64_t context, void (*notify)(void));

int __wrap_tti_pmi_return_begin(uint64_t context, void (*notify)(void))
{
    if (is_down && rank == 1) tti_fail(TUTTI_ERR_FABRIC, "another failure");
    return __real_tti_pmi_return_begin(context, notify);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    tutti_comm *whole = world;
    if (!tutti_is_newcomer()) {
        lose(world, size - 1);
        is_down = true;
        EXPECT(tutti_comm_restore(world, &whole) == TUTTI_ERR_LAUNCH);
        EXPECT(strstr(tutti_error_detail(), rank == 1 ? "for this test" : "launcher") != NULL);
        is_down = false;
        OK(tutti_comm_restore(world, &whole));
    }
    OK(tutti_barrier(whole));
    if (tutti_is_newcomer()) printf("all were told, and have a newcomer\n");
    fflush(stdout);
    OK(tutti_comm_free(&whole));
    return job_close();
}
