/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has windows, agreed on among the ranks of a communicator. */
#include "collectives/execute/windows.h"

#include <stdlib.h>

#include "collectives/call.h"
#include "collectives/comm_cache.h"
#include "collectives/plan.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"

/* The ranks of the communicator that are on this node; NULL: all are. */
static const int *ranks_here(const tutti_comm *comm, const tti_node_map *nodes, int *count)
{
    *count = comm->size;
    if (nodes == NULL) return NULL;
    const int node = nodes->node_of[comm->rank];
    *count = nodes->start[node + 1] - nodes->start[node];
    return nodes->members + nodes->start[node];
}

/* Whether this rank shares memory with others of the communicator, and that with all those of its node. */
static bool share(const tutti_comm *comm, const tti_node_map *nodes)
{
    int count;
    const int *ranks = ranks_here(comm, nodes, &count);
    if (tti_p2p_node() == NULL || count < 2) return false;
    for (int i = 0; i < count; i++)
        if (tti_p2p_node_index(tti_comm_world(comm, ranks == NULL ? i : ranks[i])) < 0) return false;
    return true;
}

static tti_windows *make(const tutti_comm *comm, const tti_node_map *nodes)
{
    int count;
    const int *ranks = ranks_here(comm, nodes, &count);
    tti_windows *windows = malloc(sizeof *windows + (size_t)count * sizeof windows->peers[0]);
    if (windows == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of the %d ranks that share memory", count);
        return NULL;
    }
    *windows = (tti_windows){.node = tti_p2p_node(), .set = -1, .size = count, .ranks = ranks};
    if (ranks != NULL) windows->places = nodes->place_of;
    windows->rank = tti_windows_place(windows, comm->rank);
    for (int i = 0; i < count; i++)
        windows->peers[i] = tti_p2p_node_index(tti_comm_world(comm, tti_windows_rank(windows, i)));
    return windows;
}

/* The world's are the segment's first set. */
static int open_world(tti_comm_cache *cache, const tutti_comm *world)
{
    if (cache->windows != NULL || !share(world, cache->nodes)) return 0;
    cache->windows = make(world, cache->nodes);
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
    if (cache != NULL) cache->windows = make(comm, NULL);
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
