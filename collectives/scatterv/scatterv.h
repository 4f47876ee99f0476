/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of scatterv that scatter has not, one file each; called through its table. */
#ifndef TTI_SCATTERV_H
#define TTI_SCATTERV_H

#include "collectives/contract/algorithm.h"

void tti_scatterv_window(const tti_shape *shape, tti_builder *builder);
void tti_scatterv_by_node(const tti_shape *shape, tti_builder *builder);

/* What window does on the root's node, and messages for all other parts, but for those of up to `joined`
 * bytes for other nodes of several ranks. */
void tti_scatterv_inside(const tti_shape *shape, tti_builder *builder, size_t joined);

#endif
