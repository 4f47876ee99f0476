/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a rank holds open for others to open through it (tti_node_file). */
#ifndef TTI_NODE_PEER_FILE_H
#define TTI_NODE_PEER_FILE_H

#include "runtime/node/segment.h"

/* Shows others an open file. */
void tti_node_show_file(tti_node_file *file, int fd);
/* Opens a file that a peer shows, through /proc. Negative code on failure. */
int tti_node_open_of(const tti_node *node, int peer, const tti_node_file *file, int flags);

#endif
