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

/* clang-format off */
/* What the tables of allgatherv have as well, in which ranks give parts of any sizes; `part`: what a rank gives, in
 * words. First the algorithms from pat to those by nodes, then the defaults among nodes. */
#define TTI_ALLGATHER_ALGORITHMS \
    {"pat", tti_allgather_pat, TTI_TAKES_CHUNK, "parallel trees, the farthest step first, then sort"}, \
    {"by_node", tti_allgather_by_node, \
     TTI_TAKES_RADIX | TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW, \
     "gather inside each node, bruck among the leaders"}, \
    {"by_node_ring", tti_allgather_by_node_ring, TTI_NEEDS_NODES | TTI_TAKES_WINDOW | TTI_SHARES_WINDOW, \
     "gather inside each node, ring among the leaders"}

#define TTI_ALLGATHER_DEFAULTS(part) \
    {TTI_ANY_RANKS, TTI_KIB(16), "by_node", 4, 0, "several ranks a node, small: one message a node on the network"}, \
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "by_node_ring", 0, 0, \
     "several ranks a node, large: whole nodes' " part "s to the next node alone"}, \
    {4, TTI_KIB(2), "bruck", 0, 0, "few ranks, small: one exchange of all with all"}, \
    {TTI_ANY_RANKS, TTI_KIB(2), "bruck", 2, 0, "small: fewest rounds"}, \
    {1024, TTI_ANY_BYTES, "ring", 0, 0, "large: straight into place, neighbours only"}, \
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "bruck", 2, 0, "very many ranks: fewest rounds"}
/* clang-format on */

#endif
