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

/* clang-format off */
/* What the tables of reduce_scatter have as well, which gives its ranks parts of any sizes; `part`: what a rank gets,
 * in words. First their algorithms from pat on, then their defaults on a node and among nodes. */
#define TTI_REDUCE_SCATTER_ALGORITHMS(part) \
    {"pat", tti_reduce_scatter_block_pat, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING, \
     "parallel trees, the nearest step first"}, \
    {"ring", tti_reduce_scatter_block_ring, TTI_TAKES_CHUNK | TTI_NEEDS_COMMUTING, \
     "sums once around a ring, in chunks"}, \
    {"by_node", tti_reduce_scatter_block_by_node, \
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_NEEDS_COMMUTING, \
     "inside each node, circulant among the leaders"}, \
    {"by_node_pairwise", tti_reduce_scatter_block_by_node_pairwise, \
     TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_NEEDS_COMMUTING, \
     "inside each node, pairwise among the leaders"}, \
    {"window", tti_reduce_scatter_block_window, TTI_NEEDS_WINDOW | TTI_SHARES_WINDOW, \
     "on shared memory, each combines its " part}, \
    {"shown", tti_reduce_scatter_block_shown, TTI_NEEDS_WINDOW | TTI_NEEDS_REACH, \
     "each combines its part out of everybody's buffers"}

#define TTI_REDUCE_SCATTER_DEFAULTS(part) \
    {2, TTI_KIB(8), "window", 0, 0, "two ranks of a node, small: no reading in buffers"}, \
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both can read: one copy"}, \
    {TTI_ONCE(4), TTI_KIB(48), "window", 0, 0, "on one node: one copy in, one out"}, \
    {TTI_ONCE(8), TTI_KIB(24), "window", 0, 0, "on one node: one copy in, one out"}, \
    {TTI_ONCE(TTI_ANY_RANKS), TTI_KIB(12), "window", 0, 0, "on one node: one copy in, one out"}, \
    {TTI_ONCE(TTI_ANY_RANKS), TTI_ANY_BYTES, "shown", 0, 0, "on one node, where the kernel copies quickly: one copy"}, \
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, 0, "on one node: each combines its " part}, \
    {TTI_ANY_RANKS, TTI_KIB(2), "by_node", 0, 0, \
     "several ranks a node, small: one contribution a node, in few rounds"}, \
    {TTI_ANY_RANKS, TTI_KIB(256), "by_node_pairwise", 0, 0, \
     "several ranks a node: one contribution a node on the network"}
/* clang-format on */

#endif
