/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of reduce, one file each; called through its table, and as parts of compositions. */
#ifndef TTI_REDUCE_H
#define TTI_REDUCE_H

#include "collectives/contract/algorithm.h"

void tti_reduce_knomial(const tti_shape *shape, tti_builder *builder);
void tti_reduce_rabenseifner(const tti_shape *shape, tti_builder *builder);
void tti_reduce_two_tree(const tti_shape *shape, tti_builder *builder);
void tti_reduce_bine(const tti_shape *shape, tti_builder *builder);
void tti_reduce_circulant(const tti_shape *shape, tti_builder *builder);
void tti_reduce_chain(const tti_shape *shape, tti_builder *builder);
void tti_reduce_by_node_chain(const tti_shape *shape, tti_builder *builder);
void tti_reduce_window(const tti_shape *shape, tti_builder *builder);
void tti_reduce_window_groups(const tti_shape *shape, tti_builder *builder);
void tti_reduce_shown(const tti_shape *shape, tti_builder *builder);
void tti_reduce_shown_both(const tti_shape *shape, tti_builder *builder);
void tti_reduce_by_node(const tti_shape *shape, tti_builder *builder);

#endif
