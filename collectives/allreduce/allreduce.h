/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of allreduce, one file each; called through its table, and as parts of compositions. */
#ifndef TTI_ALLREDUCE_H
#define TTI_ALLREDUCE_H

#include "collectives/contract/algorithm.h"

void tti_allreduce_recmul(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_rabenseifner(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_ring(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_ring_chunks(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_swing(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_two_tree(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_circulant(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_window(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_window_groups(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_counted(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_shown(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_shown_parts(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_window_parts(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_counted_parts(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_window_lead(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_node(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_node_split(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_leaders(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_leaders_split(const tti_shape *shape, tti_builder *builder);

#endif
