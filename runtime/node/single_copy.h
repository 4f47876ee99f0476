/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk data straight from one process's memory to another's. */
#ifndef TTI_NODE_SINGLE_COPY_H
#define TTI_NODE_SINGLE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* True if bulk data can be read straight from the peer's memory (process_vm_readv; TUTTI_SINGLE_COPY=no
 * forbids it). Probed once the peer has attached; false until then. */
bool tti_node_can_read(tti_node *node, int peer);
/* Reads `bytes` at `remote` in the peer's address space into `local`. TUTTI_ERR_PEER_FAILED if the peer is
 * gone, TUTTI_ERR_UNSUPPORTED if the kernel refuses: for this peer (can_read is false from then on), or for
 * this memory of it alone; a part may have been read. */
int tti_node_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes);
/* The other way, into the peer's memory. */
int tti_node_write(tti_node *node, int peer, uint64_t remote, const void *local, size_t bytes);
/* Whether the peer's process is known to have ended. */
bool tti_node_has_ended(tti_node *node, int peer);

#endif
