/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of alltoallv, of which alltoallw, an exchange of parts as well, has the same; called through
 * their tables. */
#ifndef TTI_ALLTOALLV_H
#define TTI_ALLTOALLV_H

#include "collectives/alltoall/alltoall.h"
#include "collectives/compose/window_parts.h"
#include "collectives/contract/contract.h"

void tti_alltoallv_window(const tti_shape *shape, tti_builder *builder);
void tti_alltoallv_blocks(const tti_shape *shape, tti_builder *builder);
void tti_alltoallv_by_node(const tti_shape *shape, tti_builder *builder);

/* Puts the parts for those that share memory with the caller into its WINDOW, and takes those of the others.
 */
void tti_alltoallv_show(const tti_window_parts *parts);
void tti_alltoallv_take(const tti_window_parts *parts);
/* What window does, but for short parts for other nodes (tti_alltoall_short). */
void tti_alltoallv_inside(const tti_shape *shape, tti_builder *builder, const size_t *joined);

static const tti_algorithm tti_alltoallv_algorithms[] = {
    {"pairwise", tti_alltoall_pairwise, 0, "each part straight, with one rank after the other"},
    {"window", tti_alltoallv_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     "parts up to a chunk through everybody's shared memory"},
    {"blocks", tti_alltoallv_blocks,
     TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW | TTI_PASSES_BLOCKS | TTI_TAKES_CHUNK,
     "the same, long ones block by block"},
    {"by_node", tti_alltoallv_by_node,
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     "the same inside each node; small parts for another node share a message"},
};

static const tti_default_row tti_alltoallv_defaults[] = {
    {2, TTI_ANY_BYTES, "blocks", 0, TTI_MIB(2), "two ranks of a node: until messages are fetched"},
    {TTI_TWICE(16), TTI_ANY_BYTES, "blocks", 0, TTI_MIB(64), "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_KIB(128), "on one node: one copy in, one out"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node", 0, TTI_KIB(128),
     "several ranks a node: one copy in, one out inside each"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "pairwise", 0, 0, "each part moves once, straight into place"},
};

#endif
