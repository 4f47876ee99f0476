/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a hierarchy of two levels. */
#include "runtime/base/status.h"
#include "runtime/topology/locality.h"

/* Steps one after the other: the largest group's leader collects, then the first leader. `sizes` is scratch.
 */
static int count_steps(const int *group_of, int ranks, int groups, int *sizes)
{
    int largest = 0;
    for (int g = 0; g < groups; g++)
        sizes[g] = 0;
    for (int i = 0; i < ranks; i++)
        if (++sizes[group_of[i]] > largest) largest = sizes[group_of[i]];
    return largest - 1 + groups - 1;
}

static void name_leaders(const int *group_of, int ranks, int *leaders)
{
    for (int i = ranks - 1; i >= 0; i--)
        leaders[group_of[i]] = i;
}

int tti_topology_hierarchy(const tti_topology *topology, const cpu_set_t *bound, int ranks,
                           enum tti_locality *level, int *group_of, int *leaders)
{
    int fewest = ranks - 1;
    *level = TTI_LOCALITY_NODE;
    for (enum tti_locality at = TTI_LOCALITY_CORE; at < TTI_LOCALITY_NODE; at++) {
        if (!tti_topology_has(topology, at)) continue;
        const int groups = tti_topology_groups(topology, bound, ranks, at, group_of);
        if (groups < 0) return groups;
        const int steps = count_steps(group_of, ranks, groups, leaders);
        if (steps >= fewest) continue;
        fewest = steps;
        *level = at;
    }
    const int groups = tti_topology_groups(topology, bound, ranks, *level, group_of);
    if (groups > 0) name_leaders(group_of, ranks, leaders);
    return groups;
}
