/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/acquaint.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/node/processors.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/progress.h"
#include "runtime/topology/near_groups.h"

/* Returns when all ranks have come to the node: then the first one knows where they may run. */
static int assemble(tutti_comm *comm, const char *name)
{
    tti_call call;
    const int code = tti_call_make(&call, name, TTI_BARRIER, &(tti_arguments){.comm = comm});
    return tti_call_by_schedule(code, &call);
}

/* Each rank's group by where it may run; as they are, all 0, where nothing is known or to be gained. */
static void find_groups(const tutti_comm *comm, int *group_of)
{
    int known, groups = 0;
    cpu_set_t *cpus = tti_node_cpus(tti_p2p_node(), &known);
    cpu_set_t *bound = malloc((size_t)comm->size * sizeof *bound);
    if (cpus != NULL && bound != NULL) {
        for (int r = 0; r < comm->size; r++)
            bound[r] = cpus[tti_p2p_node_index(tti_comm_world(comm, r))];
        groups = tti_near_groups(bound, comm->size, group_of);
    }
    if (groups == 0) memset(group_of, 0, (size_t)comm->size * sizeof *group_of);
    free(cpus);
    free(bound);
}

/* The first rank tells: others may have seen more of the node's ranks come by then. */
static int tell(tutti_comm *comm, const char *name, int *told)
{
    tti_call call;
    if (comm->rank == 0) told[0] = tti_wait_must_share();
    if (comm->rank == 0 && told[0] == 0) find_groups(comm, told + 1);
    const size_t bytes = (1 + (size_t)comm->size) * sizeof *told;
    const int code =
        tti_call_make(&call, name, TTI_BCAST, &(tti_arguments){.comm = comm, .recv = told, .count = bytes});
    return tti_call_by_schedule(code, &call);
}

static int lacks_memory(const tti_call *call)
{
    return tti_run_drop_out(
        call->comm, tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for the communicator's plans", call->name));
}

/* What was planned before was chosen without knowing. */
static int note(const tti_call *call, tti_comm_cache *cache, const int *group_of)
{
    bool alike = true;
    tti_plans_drop(&cache->plans);
    for (int r = 0; r < call->comm->size; r++)
        alike = alike && group_of[r] == group_of[0];
    if (alike) return 0;
    cache->groups = tti_node_map_make(group_of, call->comm->size);
    return cache->groups != NULL ? 0 : lacks_memory(call);
}

static int meet(const tti_call *call, tti_comm_cache *cache)
{
    int *told = calloc(1 + (size_t)call->comm->size, sizeof *told); /* whether crowded; group of each */
    if (told == NULL) return lacks_memory(call);
    const uint8_t outer = tti_run_within(call->comm, tti_call_function(call->name));
    int code = assemble(call->comm, call->name);
    if (code == 0) code = tell(call->comm, call->name, told);
    tti_run_within(call->comm, outer);
    if (code == 0) {
        cache->crowded = told[0] != 0;
        code = note(call, cache, told + 1);
    }
    free(told);
    return code;
}

/* Where calls are compared all pass messages, by which nothing of this is chosen. */
int tti_acquaint(const tti_call *call)
{
    tti_windows *windows;
    tti_comm_cache *cache = tti_comm_cache_get(call->comm);
    if (cache == NULL) return lacks_memory(call);
    if (cache->acquainted) return 0;
    const int code = tti_windows_get(call->comm, &windows);
    if (code < 0) return tti_run_drop_out(call->comm, code);
    const bool share = windows != NULL && windows->size == call->comm->size;
    cache->acquainted = true;
    return share && !tti_calls_are_compared(call->comm->size) ? meet(call, cache) : 0;
}
