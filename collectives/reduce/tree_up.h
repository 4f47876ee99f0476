/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole messages up a tree: what its algorithms share. */
#ifndef TTI_REDUCE_TREE_UP_H
#define TTI_REDUCE_TREE_UP_H

#include "collectives/contract/algorithm.h"

enum { TTI_TAG_TREE_UP };

/* Children that a rank may have: of a tree of any radix. */
#define TTI_TREE_UP_MOST 512

/* Combines the caller's contribution with what its children, `count` ranks, send: the first one's behind the
 * own, the next one's behind that, as they come. The result of each is where the child's part was received;
 * the last one's can be `last` (NULL: SCRATCH). */
tti_place tti_tree_up(const tti_shape *shape, tti_builder *builder, const int *children, int count,
                      const tti_place *last);

#endif
