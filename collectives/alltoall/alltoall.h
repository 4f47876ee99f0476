/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of alltoall, one file each; called through its table. */
#ifndef TTI_COLLECTIVES_ALLTOALL_H
#define TTI_COLLECTIVES_ALLTOALL_H

#include "collectives/contract/algorithm.h"

void tti_alltoall_bruck(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_pairwise(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_by_node(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_window(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_shown(const tti_shape *shape, tti_builder *builder);

/* What pairwise does with blocks of more than `beyond` bytes, or for ranks that share no memory with the
 * caller, and with the caller's own. */
void tti_alltoall_messages(const tti_shape *shape, tti_builder *builder, size_t beyond);

#endif
