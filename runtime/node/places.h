/* SPDX-License-Identifier: BSD-3-Clause */
/* On which processors the node's ranks have their turns. */
#ifndef TTI_NODE_PLACES_H
#define TTI_NODE_PLACES_H

#include <stdint.h>

#include "runtime/node/node.h"

/* The processor that this rank has its turns on; TTI_NODE_NOWHERE: it sleeps; CPU_SETSIZE or more: it is not
 * to be counted. */
#define TTI_NODE_NOWHERE (-1)
void tti_node_note_place(const tti_node *node, int cpu);
/* This rank did not have its processor in that time, and the node's other ranks have not needed it so long:
 * if they cannot have computed there, a stranger has, and for some time nobody takes another place. */
void tti_node_note_loss(const tti_node *node, int64_t since, int64_t now);
/* A processor that this rank may use, and had better go to at once, as fewer ranks are there than where it
 * is: it counts as being there. TTI_NODE_NOWHERE: there is none, or now others go. */
int tti_node_take_place(const tti_node *node, int64_t now);

#endif
