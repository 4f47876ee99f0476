/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of scatter, one file each; called through its table. */
#ifndef TTI_SCATTER_H
#define TTI_SCATTER_H

#include "collectives/contract/algorithm.h"

void tti_scatter_knomial(const tti_shape *shape, tti_builder *builder);
void tti_scatter_linear(const tti_shape *shape, tti_builder *builder);
void tti_scatter_by_node(const tti_shape *shape, tti_builder *builder);
void tti_scatter_by_node_linear(const tti_shape *shape, tti_builder *builder);
void tti_scatter_window(const tti_shape *shape, tti_builder *builder);
void tti_scatter_shown(const tti_shape *shape, tti_builder *builder);

/* What linear does with blocks of more than `beyond` bytes, or of ranks that share no memory with the root,
 * and with the root's own. */
void tti_scatter_messages(const tti_shape *shape, tti_builder *builder, size_t beyond);

#endif
