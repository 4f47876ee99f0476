/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of gatherv that gather has not, one file each; called through its table. */
#ifndef TTI_GATHERV_H
#define TTI_GATHERV_H

#include "collectives/contract/algorithm.h"

void tti_gatherv_window(const tti_shape *shape, tti_builder *builder);
void tti_gatherv_put(const tti_shape *shape, tti_builder *builder);
void tti_gatherv_by_node(const tti_shape *shape, tti_builder *builder);

/* What window does on the root's node, and messages for all other parts, but for those of up to `joined`
 * bytes of other nodes of several ranks. */
void tti_gatherv_inside(const tti_shape *shape, tti_builder *builder, size_t joined);

#endif
