/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that node peers can map. */
#ifndef TTI_NODE_ARENA_H
#define TTI_NODE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* Shareable memory behind tutti_mem_alloc(): a mapping that peers can map too. `*id` names it to peers. */
int tti_node_mem_alloc(tti_node *node, size_t bytes, void **base, uint64_t *id);
int tti_node_mem_free(tti_node *node, void *base);
/* Maps memory `id` of `peer` here. Mapping it again gives the same address; tti_node_mem_unmap() gives one
 * use back, and tti_node_close() all. A few unused mappings stay cached, but for those of a peer that is
 * gone, which keep all of its pages. */
int tti_node_mem_map(tti_node *node, int peer, uint64_t id, void **base);
void tti_node_mem_unmap(tti_node *node, void *base);
/* The peer is gone. */
void tti_node_mem_forget(tti_node *node, int peer);

#endif
