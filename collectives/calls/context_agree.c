/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/context_agree.h"

#include "collectives/agree/agree_early.h"
#include "collectives/calls/call.h"
#include "collectives/execute/run_state.h"
#include "collectives/execute/windows.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"
#include "tutti/collectives.h"

/* What all ranks have said, bit by bit: the context, of which all but the first rank say nothing by setting
 * all bits, and whether each is able. */
typedef struct {
    uint64_t context, able;
} opinion;

#define WORDS (sizeof(opinion) / sizeof(uint64_t))

static int judge(const char *name, const opinion *all, tutti_comm *made)
{
    if (all->able == 0)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "%s: a rank has no memory for the communicator", name);
    if (all->context == TTI_COMM_NO_CONTEXT)
        return tti_fail(TUTTI_ERR_LIMIT,
                        "%s: rank 0 of the communicator has numbered as many new ones as there are numbers; "
                        "make fewer, and use each longer",
                        name);
    if (made != NULL) tti_comm_set_context(made, all->context);
    return 0;
}

/* Threads of a rank may agree on several communicators at once: no two get the same number. */
int tti_context_agree(tutti_comm *comm, const char *name, bool able, tutti_comm *made)
{
    const opinion mine = {comm->rank == 0 ? tti_comm_new_context() : TTI_COMM_NO_CONTEXT,
                          able ? UINT64_MAX : 0};
    opinion all;
    tti_call call;
    tti_p2p_expect_context(true);
    int code = tti_call_make(&call, name, TTI_ALLREDUCE,
                             &(tti_arguments){.comm = comm,
                                              .send = &mine,
                                              .recv = &all,
                                              .count = WORDS,
                                              .type = TUTTI_UINT64,
                                              .op = TUTTI_BAND});
    code = tti_call_block_part(code, &call);
    if (code == 0) {
        code = judge(name, &all, made);
        if (made != NULL) tti_windows_agreed(made, code == 0);
    }
    tti_p2p_expect_context(false);
    tti_run_settle_drop_outs();
    tti_early_settle();
    return code;
}
