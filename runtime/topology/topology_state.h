/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tti_topology is, for the files of this folder. */
#ifndef TTI_TOPOLOGY_STATE_H
#define TTI_TOPOLOGY_STATE_H

#include <hwloc.h>

#include "runtime/topology/topology.h"

struct tti_topology {
    hwloc_topology_t machine;
};

#endif
