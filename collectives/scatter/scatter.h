/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of scatter, one file each; called through its table. */
#ifndef TTI_SCATTER_H
#define TTI_SCATTER_H

#include "collectives/compose/rooted_short.h"

void tti_scatter_knomial(const tti_shape *shape, tti_builder *builder);
void tti_scatter_linear(const tti_shape *shape, tti_builder *builder);
void tti_scatter_by_node(const tti_shape *shape, tti_builder *builder);
void tti_scatter_by_node_linear(const tti_shape *shape, tti_builder *builder);
void tti_scatter_window(const tti_shape *shape, tti_builder *builder);
void tti_scatter_shown(const tti_shape *shape, tti_builder *builder);

/* What linear does with all blocks but the short ones, and with the root's own. */
void tti_scatter_messages(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out);

#endif
