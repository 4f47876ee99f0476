/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/calls/acquaint.h"

#include <stdlib.h>
#include <string.h>

#include "collectives/execute/comm_cache.h"
#include "runtime/base/status.h"
#include "runtime/node/processors.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/ways.h"
#include "runtime/progress/sharing.h"
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
    cpu_set_t *cpus = tti_node_cpus(tti_ways_node(), &known);
    cpu_set_t *bound = malloc((size_t)comm->size * sizeof *bound);
    if (cpus != NULL && bound != NULL) {
        for (int r = 0; r < comm->size; r++)
            bound[r] = cpus[tti_ways_node_index(tti_comm_job_rank(comm, r))];
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
    if (comm->rank == 0) told[0] = tti_sharing_by_binding();
    if (comm->rank == 0 && told[0] == 0) find_groups(comm, told + 1);
    const size_t bytes = (1 + (size_t)comm->size) * sizeof *told;
    const int code =
        tti_call_make(&call, name, TTI_BCAST, &(tti_arguments){.comm = comm, .recv = told, .count = bytes});
    return tti_call_by_schedule(code, &call);
}

static int lacks_memory(tutti_comm *comm, const char *name)
{
    return tti_run_drop_out(
        comm, tti_fail(TUTTI_ERR_NO_MEMORY, "%s: no memory for the communicator's plans", name));
}

/* What was planned before was chosen without knowing. */
static int note(tutti_comm *comm, const char *name, bool crowded, const int *group_of)
{
    tti_comm_cache *cache = comm->collectives;
    bool alike = true;
    tti_plans_drop(&cache->plans);
    cache->acquainted = cache->told = true;
    cache->crowded = crowded;
    for (int r = 0; r < comm->size; r++)
        alike = alike && group_of[r] == group_of[0];
    if (alike) return 0;
    cache->groups = tti_node_map_make(group_of, comm->size);
    return cache->groups != NULL ? 0 : lacks_memory(comm, name);
}

static int meet(const tti_call *call)
{
    int *told = calloc(1 + (size_t)call->comm->size, sizeof *told); /* whether crowded; group of each */
    if (told == NULL) return lacks_memory(call->comm, call->name);
    const uint8_t outer = tti_run_within(call->comm, tti_call_function(call->name));
    int code = assemble(call->comm, call->name);
    if (code == 0) code = tell(call->comm, call->name, told);
    tti_run_within(call->comm, outer);
    if (code == 0) code = note(call->comm, call->name, told[0] != 0, told + 1);
    free(told);
    return code;
}

/* Where calls are compared all pass messages, by which nothing of this is chosen. */
int tti_acquaint(const tti_call *call)
{
    tti_windows *windows;
    tti_comm_cache *cache = tti_comm_cache_get(call->comm);
    if (cache == NULL) return tti_run_drop_out(call->comm, TUTTI_ERR_NO_MEMORY);
    if (cache->acquainted) return 0;
    const int code = tti_windows_get(call->comm, &windows);
    if (code < 0) return tti_run_drop_out(call->comm, code);
    const bool share = windows != NULL && windows->size == call->comm->size;
    cache->acquainted = true;
    return share && !tti_calls_are_compared(call->comm->size) ? meet(call) : 0;
}

int tti_acquaint_part(tutti_comm *comm, const char *name, tutti_comm *part)
{
    const tti_comm_cache *known = comm->collectives;
    if (known == NULL || !known->told) return 0;
    int *group_of = calloc((size_t)part->size, sizeof *group_of), code;
    for (int r = 0; group_of != NULL && known->groups != NULL && r < part->size; r++)
        group_of[r] = known->groups->node_of[tti_comm_rank_of(comm, tti_comm_job_rank(part, r))];
    if (group_of == NULL)
        code = lacks_memory(part, name);
    else if (tti_comm_cache_get(part) == NULL)
        code = tti_run_drop_out(part, TUTTI_ERR_NO_MEMORY);
    else
        code = note(part, name, known->crowded, group_of);
    free(group_of);
    return code;
}
