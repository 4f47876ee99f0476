/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology in words, for tutti-info. */
#ifndef TTI_TOPOLOGY_DESCRIBE_H
#define TTI_TOPOLOGY_DESCRIBE_H

#include "runtime/topology/topology.h"
#include "tutti/info.h"

/* Version of hwloc. */
void tti_topology_tell_version(tutti_info_fn *tell, void *context);
/* This machine, as far as this process may use it. TUTTI_ERR_SYSTEM, TUTTI_ERR_NO_MEMORY; TUTTI_ERR_LIMIT if
 * it has processors that no cpu_set_t holds. */
int tti_topology_tell(tutti_info_fn *tell, void *context);
/* The part of it about groups: which a rank on each core would form by cache, NUMA node and package, and the
 * hierarchy chosen. */
int tti_topology_tell_groups(const tti_topology *topology, tutti_info_fn *tell, void *context);

#endif
