/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/execute/comm_cache.h"

#include <stdlib.h>

#include "pmi/pmi.h"
#include "runtime/base/hot.h"
#include "runtime/base/status.h"
#include "runtime/p2p/p2p.h"

static void free_cache(tutti_comm *comm)
{
    tti_comm_cache *cache = comm->collectives;
    tti_plans_drop(&cache->plans);
    tti_windows_close(cache->windows);
    tti_node_map_free(cache->nodes);
    tti_node_map_free(cache->groups);
    free(cache);
}

bool tti_comm_nodes(const tutti_comm *comm, int *labels, int count)
{
    bool known = true;
    for (int r = 0; r < count && known; r++) {
        labels[r] = tti_pmi_node_of(tti_comm_job_rank(comm, r));
        known = labels[r] >= 0;
    }
    return known;
}

static void tell_no_memory(const tutti_comm *comm)
{
    tti_fail(TUTTI_ERR_NO_MEMORY, "no memory for what a communicator of %d ranks keeps", comm->size);
}

/* Which ranks share a node; NULL in *map where it does not help. False, and why is said, where it cannot be
 * known: a rank that went on without it would take another way than the others. */
static bool map_nodes(const tutti_comm *comm, tti_node_map **map)
{
    *map = NULL;
    int *labels = malloc((size_t)comm->size * sizeof *labels);
    const bool known = labels == NULL || tti_comm_nodes(comm, labels, comm->size);
    if (labels != NULL && known) *map = tti_node_map_make(labels, comm->size);
    const bool made = *map != NULL;
    if (known && !made) tell_no_memory(comm);
    free(labels);
    if (!tti_node_map_helps(*map, comm->size)) {
        tti_node_map_free(*map);
        *map = NULL;
    }
    return made;
}

static tti_comm_cache *make(tutti_comm *comm)
{
    tti_comm_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL) tell_no_memory(comm);
    if (cache == NULL || !map_nodes(comm, &cache->nodes)) {
        free(cache);
        return NULL;
    }
    tti_plans_open(&cache->plans);
    comm->collectives = cache;
    comm->collectives_end = free_cache;
    return cache;
}

TTI_HOT tti_comm_cache *tti_comm_cache_get(tutti_comm *comm)
{
    return comm->collectives != NULL ? comm->collectives : make(comm);
}
