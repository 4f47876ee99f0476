/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/progress/sharing.h"

#include <stdlib.h>
#include <unistd.h>

#include "runtime/base/own_cpus.h"
#include "runtime/node/processors.h"
#include "runtime/peers/peers.h"
#include "runtime/topology/crowding.h"

tti_sharing_found tti_sharing;

static bool exceed_processors(int ranks)
{
    return ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

void tti_sharing_open(int local_ranks)
{
    const cpu_set_t own = tti_own_cpus();
    const int processors = CPU_COUNT(&own);
    tti_sharing.bound_together =
        exceed_processors(local_ranks) || (processors > 0 && processors < local_ranks);
}

/* Where each rank of the node may run, as tti_node_cpus() says. */
static cpu_set_t *processors_of_ranks(void)
{
    int ranks;
    return tti_peers.node != NULL ? tti_node_cpus(tti_peers.node, &ranks) : NULL;
}

/* Where the machine has more processors than a set has room for, no rank can tell its own. */
bool tti_sharing_by_binding(void)
{
    cpu_set_t *bound = processors_of_ranks();
    if (bound == NULL) return tti_sharing.bound_together;
    const int ranks = tti_node_expected(tti_peers.node);
    const bool share = tti_topology_knows_any(bound, ranks) ? tti_topology_crowded(bound, ranks) > 0
                                                            : exceed_processors(ranks);
    free(bound);
    return share;
}

/* All that share this rank's processors may have to work before it has anything to do: together that takes
 * them long, and to yield to each costs them less than to fall asleep and be woken. */
static unsigned round_of_others(void)
{
    const cpu_set_t own = tti_own_cpus();
    cpu_set_t *bound = processors_of_ranks();
    if (bound == NULL || CPU_COUNT(&own) == 0) {
        free(bound);
        return 0;
    }
    const int sharing = tti_topology_sharing(&own, bound, tti_node_expected(tti_peers.node));
    free(bound);
    return sharing > 0 ? (unsigned)((sharing - 1) / CPU_COUNT(&own)) : 0;
}

bool tti_sharing_find(void)
{
    tti_node *node = tti_peers.node;
    tti_sharing.all_known = node == NULL || tti_node_all_here(node);
    if (node == NULL || !tti_sharing.all_known) return false;
    tti_sharing.bound_together = tti_sharing_by_binding();
    tti_sharing.round = round_of_others();
    return true;
}
