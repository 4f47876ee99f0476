/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has windows, agreed on among the ranks of a communicator. */
#include "collectives/execute/comm_cache.h"
#include "collectives/execute/windows.h"
#include "runtime/node/node_windows.h"
#include "runtime/p2p/p2p.h"
#include "runtime/peers/lost.h"
#include "runtime/peers/ways.h"
#include "tutti/error.h"

/* The index on the node in the name of a set, beside the context of the parent. */
#define PEER_BITS 16
_Static_assert(TTI_COMM_CONTEXT_BITS + PEER_BITS < 64, "a name has room for both");

/* The world's are the segment's first set. */
static int open_world(tti_comm_cache *cache, const tutti_comm *world)
{
    if (cache->windows != NULL) return 0;
    const int code = tti_windows_open(world, cache->nodes, &cache->windows);
    if (code < 0 || cache->windows == NULL) return code;
    if (tti_node_window_bytes(cache->windows->node, TTI_NODE_WINDOW_SMALL) > 0)
        tti_windows_aim(cache->windows, TTI_NODE_WINDOWS_OF_ALL);
    return 0;
}

int tti_windows_get(tutti_comm *comm, tti_windows **windows)
{
    tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache == NULL) return TUTTI_ERR_NO_MEMORY;
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
    if (tti_ways_node() == NULL || comm->size < 2) return 0;
    tti_comm_cache *cache = tti_comm_cache_get(comm);
    if (cache == NULL) return TUTTI_ERR_NO_MEMORY;
    const int code = tti_windows_open(comm, cache->nodes, &cache->windows);
    if (code < 0 || cache->windows == NULL) return code;
    tti_windows *windows = cache->windows;
    windows->name = (tti_node_windows_name){(of << PEER_BITS | (uint64_t)windows->peers[0]) + 1, number};
    while (is_new != NULL && windows->taker < windows->size - 1 &&
           is_new(is_new_of, tti_windows_rank(windows, windows->taker)))
        windows->taker++;
    windows->first = tti_comm_job_rank(comm, tti_windows_rank(windows, windows->taker));
    if (windows->rank == windows->taker)
        tti_windows_aim(windows,
                        tti_node_windows_take(windows->node, windows->peers, windows->size, &windows->name));
    return 0;
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
    if (windows->rank != windows->taker && tti_lost_is_dead(windows->first))
        tti_windows_leave_unused(windows);
    if (windows->rank == windows->taker && windows->set >= 0)
        tti_node_windows_give_back(windows->node, windows->set);
    windows->set = -1;
}
