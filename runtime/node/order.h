/* SPDX-License-Identifier: BSD-3-Clause */
/* Order between what a rank stores and what it looks at before it sleeps. */
#ifndef TTI_NODE_ORDER_H
#define TTI_NODE_ORDER_H

#include "runtime/node/node.h"

/* To be called before the process has threads, if possible: with them it would take 10 to 20 ms, and is left
 * out. Messages take a little longer then. */
void tti_node_order_open(void);
/* Each rank has a processor of its own, and from now on this one puts all in order before it sleeps, so that
 * who sends to it need not. Not for ranks that share processors: they sleep often, and it takes 5 us where
 * others run. */
void tti_node_order_begin(tti_node *node);

#endif
