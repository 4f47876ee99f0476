/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of a node are near each other. Everything is computed from where the ranks are bound, so that
 * one process can compute for all and only one has to load a topology (milliseconds;
 * tti_topology_open_node()).
 *
 * `bound` holds one set per rank: the processors it may run on, as sched_getaffinity() says it. Processors
 * that the topology does not have are left out; a set of which nothing remains, as an empty one, stands for a
 * rank that may run anywhere. */
#ifndef TTI_TOPOLOGY_LOCALITY_H
#define TTI_TOPOLOGY_LOCALITY_H

#include <stdbool.h>

#include "runtime/topology/topology.h"

/* What two ranks may share, mostly from near to far. Machines differ: NUMA nodes may divide an L3 cache, or
 * hold several packages. */
enum tti_locality {
    TTI_LOCALITY_CORE, /* hardware threads of one core, or one processor */
    TTI_LOCALITY_L2,
    TTI_LOCALITY_L3,
    TTI_LOCALITY_NUMA, /* processors with the same nearest memory; a node of memory alone makes no group */
    TTI_LOCALITY_PACKAGE,
    TTI_LOCALITY_NODE, /* the whole machine */
    TTI_LOCALITY_COUNT
};

/* A word for messages: "core", "L2 cache", … "node". */
const char *tti_locality_name(enum tti_locality level);

/* Whether the machine shows any place of the level. Every one has cores (or processors that stand for them).
 */
bool tti_topology_has(const tti_topology *topology, enum tti_locality level);

/* Partitions the ranks: those of one core, cache, … get the same group_of[rank]. Groups are numbered from 0
 * by their lowest rank. A rank that no single place of the level holds (bound to more, or the machine has no
 * such place) belongs to the smallest place of a coarser level that holds it, and shares its group with the
 * others of whom that is true: ranks that are all unbound are one group at every level.
 * Returns the number of groups, or TUTTI_ERR_NO_MEMORY. */
int tti_topology_groups(const tti_topology *topology, const cpu_set_t *bound, int ranks,
                        enum tti_locality level, int *group_of);

/* A hierarchy of two levels for operations in which leaders collect from their groups and the first leader
 * from the leaders, one after the other. *level is the one with the fewest such steps (largest group - 1 +
 * groups - 1), the nearest of equals; group_of[rank] as above, leaders[group] its lowest rank, for which
 * there must be room for `ranks`. Returns the number of groups; 1, with TTI_LOCALITY_NODE, if no level has
 * fewer steps than the ranks without groups (ranks - 1). Or TUTTI_ERR_NO_MEMORY. */
int tti_topology_hierarchy(const tti_topology *topology, const cpu_set_t *bound, int ranks,
                           enum tti_locality *level, int *group_of, int *leaders);

#endif
