/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of allgather, one file each; called through its table, and as parts of compositions. */
#ifndef TTI_ALLGATHER_H
#define TTI_ALLGATHER_H

#include "collectives/contract/algorithm.h"

void tti_allgather_bruck(const tti_shape *shape, tti_builder *builder);
void tti_allgather_circulant(const tti_shape *shape, tti_builder *builder);
void tti_allgather_bine(const tti_shape *shape, tti_builder *builder);
void tti_allgather_ring(const tti_shape *shape, tti_builder *builder);
void tti_allgather_pat(const tti_shape *shape, tti_builder *builder);
void tti_allgather_window(const tti_shape *shape, tti_builder *builder);
void tti_allgather_counted(const tti_shape *shape, tti_builder *builder);
void tti_allgather_shown(const tti_shape *shape, tti_builder *builder);
void tti_allgather_by_node(const tti_shape *shape, tti_builder *builder);
void tti_allgather_by_node_ring(const tti_shape *shape, tti_builder *builder);

#endif
