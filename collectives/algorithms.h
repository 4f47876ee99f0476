/* SPDX-License-Identifier: BSD-3-Clause */
/* The build functions of all algorithms, one file each; called through the table alone. */
#ifndef TTI_COLLECTIVES_ALGORITHMS_H
#define TTI_COLLECTIVES_ALGORITHMS_H

#include "collectives/algorithm.h"

void tti_barrier_dissemination(const tti_shape *shape, tti_builder *builder);
void tti_barrier_tree(const tti_shape *shape, tti_builder *builder);
void tti_barrier_by_node(const tti_shape *shape, tti_builder *builder);
void tti_bcast_knomial(const tti_shape *shape, tti_builder *builder);
void tti_bcast_scatter_ring(const tti_shape *shape, tti_builder *builder);
void tti_bcast_chain(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node_ring(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_node_chain(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_leaders(const tti_shape *shape, tti_builder *builder);
void tti_bcast_by_leaders_ring(const tti_shape *shape, tti_builder *builder);
void tti_reduce_knomial(const tti_shape *shape, tti_builder *builder);
void tti_reduce_chain(const tti_shape *shape, tti_builder *builder);
void tti_reduce_by_node_chain(const tti_shape *shape, tti_builder *builder);
void tti_reduce_by_node(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_recmul(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_rabenseifner(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_ring(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_node(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_node_split(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_leaders(const tti_shape *shape, tti_builder *builder);
void tti_allreduce_by_leaders_split(const tti_shape *shape, tti_builder *builder);
void tti_allgather_bruck(const tti_shape *shape, tti_builder *builder);
void tti_allgather_ring(const tti_shape *shape, tti_builder *builder);
void tti_allgather_by_node(const tti_shape *shape, tti_builder *builder);
void tti_allgather_by_node_ring(const tti_shape *shape, tti_builder *builder);

#endif
