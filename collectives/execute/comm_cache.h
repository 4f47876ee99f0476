/* SPDX-License-Identifier: BSD-3-Clause */
/* What the collectives keep with a communicator: plans, which ranks share a node, windows. Made at the
 * first collective, freed with the communicator. Under the lock. */
#ifndef TTI_EXECUTE_COMM_CACHE_H
#define TTI_EXECUTE_COMM_CACHE_H

#include "collectives/execute/plans.h"
#include "collectives/execute/windows.h"
#include "collectives/patterns/node_map.h"

typedef struct {
    tti_plans plans;
    tti_node_map *nodes;  /* NULL where it does not help */
    tti_windows *windows; /* of the ranks on this node; NULL where there are none */
    bool acquainted;      /* it has had its first blocking call, or was made of one that had */
    bool told;            /* all are on one node, and know alike from then on what follows */
    bool crowded;         /* ranks share processors */
    tti_node_map *groups; /* who is near whom; NULL: all are alike */
} tti_comm_cache;

/* NULL, and why is said, if memory is out, or it is not known where one of the ranks runs: of that, too,
 * memory is the cause, as every launcher tells it, and so it is this rank's alone. The caller's code is
 * TUTTI_ERR_NO_MEMORY. */
tti_comm_cache *tti_comm_cache_get(tutti_comm *comm);

/* On which node each of the first `count` ranks is. False, and why is said: of one that is not known, as
 * above. */
bool tti_comm_nodes(const tutti_comm *comm, int *labels, int count);

#endif
