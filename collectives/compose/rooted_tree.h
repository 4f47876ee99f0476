/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts between a root and each rank by a k-nomial tree turned to the root, whose subtrees are ranks in a row
 * (beyond the last rank they go on with rank 0): those of a subtree go together, one after the other, as one
 * message; between the root and the ranks below it as two where they go on with rank 0, as they lie apart at
 * the root. Parts may differ in size, as long as all ranks know them all and they lie one after the other at
 * the root. */
#ifndef TTI_COMPOSE_ROOTED_TREE_H
#define TTI_COMPOSE_ROOTED_TREE_H

#include "collectives/contract/algorithm.h"

/* Up to the root, as a gather; down from it, as a scatter. */
void tti_rooted_tree_up(const tti_shape *shape, tti_builder *builder);
void tti_rooted_tree_down(const tti_shape *shape, tti_builder *builder);

#endif
