/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether who stores something for a rank, and then looks whether that sleeps, must put the two in order
 * itself (order.c). */
#ifndef TTI_NODE_ORDERED_H
#define TTI_NODE_ORDERED_H

#include "runtime/node/segment.h"

/* Puts all in order, if this rank sees to that. */
void tti_node_order(tti_node *node);
/* Whether a rank that has stored something for the peer, and looks whether it waits, need not order the two.
 * If so, it also sees whether the peer waited before it began to see to that. */
static inline bool tti_node_is_ordered(const tti_node *node, int peer)
{
    return node->orders && atomic_load_explicit(&node->out[peer].bell->orders, memory_order_acquire);
}

#endif
