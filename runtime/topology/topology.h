/* SPDX-License-Identifier: BSD-3-Clause */
/* This machine as hwloc sees it; by default limited to the processors that this process may use (the
 * cgroup's cpuset and the affinity mask). hwloc's own HWLOC_XMLFILE replaces the machine by a recorded one.
 * The only part that includes hwloc. Read-only after opening: any thread. */
#ifndef TTI_TOPOLOGY_H
#define TTI_TOPOLOGY_H

#include <sched.h>
#include <stddef.h>

typedef struct tti_topology tti_topology;

/* What a rank may be bound to. */
enum tti_topology_place { TTI_PLACE_CORE, TTI_PLACE_NUMA };

/* Loads the topology (some milliseconds). TUTTI_ERR_SYSTEM if hwloc cannot. The caller closes it. */
int tti_topology_open(tti_topology **topology);
/* The same for all processors of the node, whatever this process may use: other ranks may be bound elsewhere.
 * Leaves this thread where it is. */
int tti_topology_open_node(tti_topology **topology);
/* A topology recorded in hwloc's XML. */
int tti_topology_open_file(const char *path, tti_topology **topology);
void tti_topology_close(tti_topology *topology);

/* How many cores or NUMA nodes with usable processors there are; at least 1. */
int tti_topology_count(const tti_topology *topology, enum tti_topology_place place);

/* The usable processors of the place `index` (0 … count-1, in hwloc's logical order, so that neighbours share
 * caches), into `cpus` of `bytes` bytes. TUTTI_ERR_ARG if there is no such place, TUTTI_ERR_LIMIT if a
 * processor number does not fit into `bytes`. */
int tti_topology_cpus(const tti_topology *topology, enum tti_topology_place place, int index, cpu_set_t *cpus,
                      size_t bytes);

#endif
