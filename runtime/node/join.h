/* SPDX-License-Identifier: BSD-3-Clause */
/* How the ranks of a node come to one segment. */
#ifndef TTI_NODE_JOIN_H
#define TTI_NODE_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "pmi/pmi.h"
#include "runtime/node/segment.h"

/* The first local rank tells the others where its segment is, open as `fd`. TUTTI_ERR_UNSUPPORTED, as in
 * tti_node_join(), if they cannot all reach it. */
int tti_node_invite(const tti_job *job, const tti_node_header *header, int fd);
/* Another rank finds and maps the segment. On failure *header is NULL, or mapped and to be unmapped. Where
 * processes may come later *fd is the open segment then, through which they find it; else it is left alone.
 */
int tti_node_join(const tti_job *job, tti_node_header **header, int *fd);

/* Names the namespace of this process's ids; 0 if it is not known. */
uint64_t tti_node_namespace(void);
/* Whether other ranks of the node may be unable to open a file of this process, as far as it can tell. */
bool tti_node_is_hidden(const tti_job *job);

#endif
