/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of bcast, one file each; called through its table, and as parts of compositions. */
#ifndef TTI_BCAST_H
#define TTI_BCAST_H

#include "collectives/contract/algorithm.h"

void tti_bcast_knomial(const tti_shape *shape, tti_builder *builder);
void tti_bcast_scatter_ring(const tti_shape *shape, tti_builder *builder);
void tti_bcast_two_tree(const tti_shape *shape, tti_builder *builder);
void tti_bcast_bine(const tti_shape *shape, tti_builder *builder);
void tti_bcast_circulant(const tti_shape *shape, tti_builder *builder);
void tti_bcast_chain(const tti_shape *shape, tti_builder *builder);
void tti_bcast_window(const tti_shape *shape, tti_builder *builder);
void tti_bcast_window_groups(const tti_shape *shape, tti_builder *builder);
void tti_bcast_shown(const tti_shape *shape, tti_builder *builder);
void tti_bcast_shown_both(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node_ring(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node_chain(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node_circulant(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_leaders(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_leaders_ring(const tti_shape *shape, tti_builder *builder);

#endif
