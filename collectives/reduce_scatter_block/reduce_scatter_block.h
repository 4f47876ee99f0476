/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of reduce_scatter_block, one file each; called through its table. */
#ifndef TTI_REDUCE_SCATTER_BLOCK_H
#define TTI_REDUCE_SCATTER_BLOCK_H

#include "collectives/contract/algorithm.h"

void tti_reduce_scatter_block_halving(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_circulant(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_bine(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_by_node(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_by_node_pairwise(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_pat(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_ring(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_window(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_shown(const tti_shape *shape, tti_builder *builder);
void tti_reduce_scatter_block_pairwise(const tti_shape *shape, tti_builder *builder);

#endif
