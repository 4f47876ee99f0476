/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank without its node's segment. */
#ifndef TTI_NODE_DECLINE_H
#define TTI_NODE_DECLINE_H

#include "pmi/pmi.h"

/* Tells the other local ranks that this one goes without the segment, TUTTI_TRANSPORT=fabric: all of a node
 * do or none, else TUTTI_ERR_OPTION, here as in tti_node_open(). */
int tti_node_decline(const tti_job *job);

#endif
