/* SPDX-License-Identifier: BSD-3-Clause */
/* A node's segment with all its views in this process, which each run finds as they were at first. */
#ifndef TESTS_EXPLORE_NODE_VIEWS_H
#define TESTS_EXPLORE_NODE_VIEWS_H

#include "runtime/node/segment.h"

extern tti_node *node_views[];

/* The first `order` ranks put all in order before they sleep (runtime/node/order.c). */
void node_views_open(const tti_node_shape *shape, int order);
/* More memory that each run is to find as it is now. */
void node_views_save(void *at, size_t bytes);
void node_views_reset(void);
void node_views_close(void);

#endif
