/* SPDX-License-Identifier: BSD-3-Clause */
/* A single copy (single_copy.h) by two. */
#ifndef TTI_NODE_SHARED_COPY_H
#define TTI_NODE_SHARED_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/node/node.h"

/* tti_node_read() where the peer may do a part. tti_node_share_begin() gives a number that the peer is told,
 * with the address of `local`, and passes to tti_node_share_help(), which writes from its `mine` what is
 * still left and returns; only then is the memory read. One copy at a time. */
uint32_t tti_node_share_begin(tti_node *node);
int tti_node_share_read(tti_node *node, int peer, uint64_t remote, void *local, size_t bytes);
void tti_node_share_help(tti_node *node, int peer, uint32_t serial, uint64_t remote, const void *mine,
                         size_t bytes);

#endif
