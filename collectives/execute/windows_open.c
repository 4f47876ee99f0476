/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has windows, agreed on among the ranks of a communicator. */
#include "collectives/execute/windows.h"

#include <stdlib.h>

#include "collectives/execute/comm_cache.h"
#include "collectives/execute/shown.h"
#include "runtime/base/status.h"
#include "runtime/node/node_windows.h"
#include "runtime/node/view.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"

/* The index on the node in the name of a set, beside the context of the parent. */
#define PEER_BITS 16
_Static_assert(TTI_COMM_CONTEXT_BITS + PEER_BITS < 64, "a name has room for both");

/* The ranks of the communicator that are on this node; NULL: all are. */
static const int *ranks_here(const tutti_comm *comm, const tti_node_map *nodes, int *count)
{
    *count = comm->size;
    if (nodes == NULL) return NULL;
    const int node = nodes->node_of[comm->rank];
    *count = tti_node_ranks(nodes, node);
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
    tti_windows *windows = malloc(sizeof *windows + ((size_t)count + 1) * sizeof windows->peers[0]);
    if (windows == NULL) {
        tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for the list of the %d ranks that share memory", count);
        return NULL;
    }
    *windows = (tti_windows){.node = tti_p2p_node(), .set = -1, .size = count, .ranks = ranks};
    tti_filling_open(&windows->filling, &tti_node_crossings(windows->node)->figures);
    if (ranks != NULL) windows->places = nodes->place_of;
    windows->rank = tti_windows_place(windows, comm->rank);
    for (int i = 0; i < count; i++)
        windows->peers[i] = tti_p2p_node_index(tti_comm_world(comm, tti_windows_rank(windows, i)));
    windows->peers[count] = tti_node_windows_of_last(windows->node);
    return windows;
}

/* The world's are the segment's first set. */
static int open_world(tti_comm_cache *cache, const tutti_comm *world)
{
    if (cache->windows != NULL || !share(world, cache->nodes)) return 0;
    cache->windows = make(world, cache->nodes);
    if (cache->windows == NULL) return TUTTI_ERR_NO_MEMORY;
    if (tti_node_window_bytes(cache->windows->node, TTI_NODE_WINDOW_SMALL) > 0)
        tti_windows_aim(cache->windows, TTI_NODE_WINDOWS_OF_ALL);
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

/* The first rank takes part in the agreement only after this, so that whoever knows of the agreement finds
 * the set: nobody has to be told. */
int tti_windows_prepare(tutti_comm *comm, uint64_t of, uint64_t number, tti_windows_new_fn *is_new,
                        const void *is_new_of)
{
    if (tti_p2p_node() == NULL || comm->size < 2) return 0;
    tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache == NULL)
        return tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for what a communicator of %d ranks keeps",
                        comm->size);
    if (!share(comm, cache->nodes)) return 0;
    tti_windows *windows = cache->windows = make(comm, cache->nodes);
    if (windows == NULL) return TUTTI_ERR_NO_MEMORY;
    windows->name = (tti_node_windows_name){(of << PEER_BITS | (uint64_t)windows->peers[0]) + 1, number};
    while (is_new != NULL && windows->taker < windows->size - 1 &&
           is_new(is_new_of, tti_windows_rank(windows, windows->taker)))
        windows->taker++;
    windows->first = tti_comm_world(comm, tti_windows_rank(windows, windows->taker));
    if (windows->rank == windows->taker)
        tti_windows_aim(windows,
                        tti_node_windows_take(windows->node, windows->peers, windows->size, &windows->name));
    return 0;
}

/* Leaves the set that the first rank took, if it did, without having used it. */
static void leave_unused(const tti_windows *windows)
{
    const int set = tti_node_windows_find(windows->node, &windows->name);
    if (set >= 0) tti_node_windows_leave(windows->node, set);
}

/* What the first rank took before it died nobody gives back. */
void tti_windows_agreed(tutti_comm *comm, bool made)
{
    tti_comm_cache *cache = comm->collectives;
    tti_windows *windows = cache != NULL ? cache->windows : NULL;
    if (windows == NULL) return;
    windows->agreed = true;
    if (made && windows->rank != windows->taker)
        tti_windows_aim(windows, tti_node_windows_find(windows->node, &windows->name));
    if (made) return;
    if (windows->rank != windows->taker && tti_p2p_is_dead(windows->first)) leave_unused(windows);
    if (windows->rank == windows->taker && windows->set >= 0)
        tti_node_windows_give_back(windows->node, windows->set);
    windows->set = -1;
}

/* Where it is not known what the others agreed on, these may use the set, or may not: this rank leaves it,
 * and so do they. */
void tti_windows_close(tti_windows *windows)
{
    if (windows == NULL) return;
    tti_shown_close(windows);
    if (windows->set >= 0)
        tti_node_windows_leave(windows->node, windows->set);
    else if (windows->name.of != 0 && windows->rank != windows->taker && !windows->agreed)
        leave_unused(windows);
    free(windows);
}
