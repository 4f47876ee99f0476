/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/acquaint.h"

#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/p2p/progress.h"

/* Returns when all ranks have come to the node: then the first one knows where they may run. */
static int assemble(tutti_comm *comm, const char *name)
{
    tti_call call;
    const int code = tti_call_make(&call, name, TTI_BARRIER, &(tti_arguments){.comm = comm});
    return tti_call_by_schedule(code, &call);
}

/* The first rank tells: others may have seen more of the node's ranks come by then. */
static int tell(tutti_comm *comm, const char *name, unsigned char *crowded)
{
    tti_call call;
    *crowded = comm->rank == 0 && tti_wait_must_share();
    const int code = tti_call_make(&call, name, TTI_BCAST,
                                   &(tti_arguments){.comm = comm, .recv = crowded, .count = sizeof *crowded});
    return tti_call_by_schedule(code, &call);
}

static int meet(const tti_call *call, tti_comm_cache *cache)
{
    unsigned char crowded;
    int code = assemble(call->comm, call->name);
    if (code == 0) code = tell(call->comm, call->name, &crowded);
    if (code < 0) return code;
    cache->crowded = crowded != 0;
    tti_plans_free(cache); /* which have been chosen without knowing */
    return 0;
}

/* Where calls are compared all pass messages, by which nothing of this is chosen. */
int tti_acquaint(const tti_call *call)
{
    tti_windows *windows;
    tti_comm_cache *cache = tti_comm_cache_get(call->comm);
    if (cache == NULL)
        return tti_run_drop_out(
            call->comm,
            tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for the communicator's plans", call->name));
    if (cache->acquainted) return 0;
    const int code = tti_windows_get(call->comm, &windows);
    if (code < 0) return tti_run_drop_out(call->comm, code);
    const bool share = windows != NULL && windows->size == call->comm->size;
    cache->acquainted = true;
    return share && !tti_calls_are_compared(call->comm->size) ? meet(call, cache) : 0;
}
