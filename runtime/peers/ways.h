/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways to peers, for the rooms above. Under the library's lock (progress/lock.h). */
#ifndef TTI_PEERS_WAYS_H
#define TTI_PEERS_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/fabric/fabric.h"
#include "runtime/node/node.h"

/* NULL where not open. */
tti_node *tti_ways_node(void);
tti_fabric *tti_ways_fabric(void);
/* Place among the ranks of this node; -1 for a peer off the node. */
int tti_ways_node_index(int job_rank);
/* Whether the number is that of another rank of the job. */
bool tti_ways_is_peer(uint64_t job_rank);
/* False of a rank of this node that has not opened it yet; and of one that is reached over the fabric until
 * this rank has its address, for which it asks with the first message to it. */
bool tti_ways_has_come(int job_rank);

#endif
