/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of alltoall, one file each; called through its table. */
#ifndef TTI_ALLTOALL_H
#define TTI_ALLTOALL_H

#include "collectives/contract/algorithm.h"

void tti_alltoall_bruck(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_pairwise(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_by_node(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_window(const tti_shape *shape, tti_builder *builder);
void tti_alltoall_shown(const tti_shape *shape, tti_builder *builder);

/* Blocks of no more bytes go another way: with ranks that share memory with the caller, and with those of
 * each other node (NULL: none of those does). */
typedef struct {
    size_t near;
    const size_t *joined;
} tti_alltoall_short;

/* What pairwise does with all other blocks, and with the caller's own. */
void tti_alltoall_messages(const tti_shape *shape, tti_builder *builder, tti_alltoall_short left_out);

#endif
