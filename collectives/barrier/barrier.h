/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of barrier, one file each; called through its table, and as parts of compositions. */
#ifndef TTI_BARRIER_H
#define TTI_BARRIER_H

#include "collectives/contract/algorithm.h"

void tti_barrier_dissemination(const tti_shape *shape, tti_builder *builder);
void tti_barrier_tree(const tti_shape *shape, tti_builder *builder);
void tti_barrier_window(const tti_shape *shape, tti_builder *builder);
void tti_barrier_counted(const tti_shape *shape, tti_builder *builder);
void tti_barrier_window_tree(const tti_shape *shape, tti_builder *builder);
void tti_barrier_by_node(const tti_shape *shape, tti_builder *builder);

#endif
