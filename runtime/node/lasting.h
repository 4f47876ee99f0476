/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that outlives its rank. */
#ifndef TTI_NODE_LASTING_H
#define TTI_NODE_LASTING_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* Shareable memory whose pages last as long as anybody maps them, whoever frees them and whoever dies. A peer
 * maps it while the rank that made it is there, and from what that says of it. Each holds a file open.
 * TUTTI_ERR_UNSUPPORTED: no peer could, as this process has become one that may not be dumped. */
typedef struct {
    uint64_t fd, device, inode, bytes;
} tti_node_lasting;
int tti_node_lasting_make(size_t bytes, void **base, tti_node_lasting *made);
int tti_node_lasting_map(const tti_node *node, int peer, const tti_node_lasting *made, void **base);
void tti_node_lasting_unmap(void *base, const tti_node_lasting *made);
void tti_node_lasting_free(void *base, const tti_node_lasting *made);

#endif
