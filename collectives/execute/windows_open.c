/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has windows, agreed on among the ranks of a communicator. */
#include "collectives/execute/windows.h"

#include <stdlib.h>

#include "collectives/call.h"
#include "collectives/comm_cache.h"
#include "collectives/plan.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"

static tti_windows *make(const tutti_comm *comm)
{
    tti_windows *windows = malloc(sizeof *windows + (size_t)comm->size * sizeof windows->peers[0]);
    if (windows == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of the %d ranks that share memory", comm->size);
        return NULL;
    }
    *windows = (tti_windows){.node = tti_p2p_node(), .set = -1, .rank = comm->rank, .size = comm->size};
    for (int r = 0; r < comm->size; r++)
        windows->peers[r] = tti_p2p_node_index(tti_comm_world(comm, r));
    return windows;
}

/* The world's are the segment's first set. */
static int open_world(tti_comm_cache *cache, const tutti_comm *world)
{
    if (cache->windows != NULL || !tti_comm_on_node(world)) return 0;
    cache->windows = make(world);
    if (cache->windows == NULL) return TUTTI_ERR_NO_MEMORY;
    if (tti_node_window_bytes(cache->windows->node, TTI_NODE_WINDOW_SMALL) > 0)
        cache->windows->set = TTI_NODE_WINDOWS_OF_ALL;
    return 0;
}

int tti_windows_get(tutti_comm *comm, tti_windows **windows)
{
    tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache == NULL) return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for a communicator's plans");
    const int code = comm->context == 0 ? open_world(cache, comm) : 0;
    const bool any = code == 0 && cache->windows != NULL && cache->windows->set >= 0;
    *windows = any ? cache->windows : NULL;
    return code;
}

int tti_windows_prepare(tutti_comm *comm)
{
    if (!tti_comm_on_node(comm)) return 0;
    tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache != NULL) cache->windows = make(comm);
    return cache != NULL && cache->windows != NULL ? 0 : TUTTI_ERR_NO_MEMORY;
}

/* The plan of this, made for a communicator without windows, is not kept. Another rank that has dropped out
 * since may have done so in a later call: the next collective tells of it. */
int tti_windows_agree(tutti_comm *comm, const char *name)
{
    tti_windows *windows = ((tti_comm_cache *)comm->collectives)->windows;
    int32_t set = -1;
    tti_call call;
    if (windows == NULL) return 0;
    if (comm->rank == 0) set = tti_node_windows_take(windows->node, windows->peers, comm->size);
    int code = tti_call_make(&call, name, TTI_BCAST,
                             &(tti_arguments){.comm = comm, .recv = &set, .count = sizeof set});
    code = tti_call_by_schedule(code, &call);
    if (code == 0) windows->set = set;
    tti_plans_free(comm->collectives);
    const bool others = comm->drop_out_code != 0 && comm->drop_out_rank != tti_comm_world(comm, comm->rank);
    return others ? 0 : code;
}

void tti_windows_close(tti_windows *windows)
{
    if (windows == NULL) return;
    if (windows->set >= 0) tti_node_windows_leave(windows->node, windows->set);
    free(windows);
}
