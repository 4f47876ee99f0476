/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between neighbours: by a message along each edge, or through the memory that ranks share; called
 * through the tables of their collectives. Their defaults have chunks such that what a rank gives its
 * neighbours, and gets from them, stays in caches while it is copied in and out: longer ones among four ranks
 * than among sixteen or more, and where all neighbours get the same, which is written once. */
#ifndef TTI_NEIGHBOR_ALLTOALL_H
#define TTI_NEIGHBOR_ALLTOALL_H

#include "collectives/contract/contract.h"

/* Each gives every target the part for it, or (`whole`) the same, all that it has. */
void tti_neighbor_direct(const tti_shape *shape, tti_builder *builder, bool whole);
void tti_neighbor_window(const tti_shape *shape, tti_builder *builder, bool whole);
/* Where parts are of one size. */
void tti_neighbor_shown(const tti_shape *shape, tti_builder *builder, bool whole);
/* As window, but what is longer than a share of one goes block by block; needs windows of all ranks. */
void tti_neighbor_blocks(const tti_shape *shape, tti_builder *builder, bool whole);
/* Through ranks between, on stencils; else direct. */
void tti_neighbor_combined(const tti_shape *shape, tti_builder *builder, bool whole);
/* Joined by nodes, on grids and stencils; else as window. */
void tti_neighbor_by_node(const tti_shape *shape, tti_builder *builder, bool whole);
/* The same of parts that differ. */
void tti_neighbor_by_node_v(const tti_shape *shape, tti_builder *builder, bool whole);

/* The algorithm of that name. */
#define TTI_NEIGHBOR_ALGORITHM(NAME, WHOLE)                                                                  \
    static void NAME(const tti_shape *shape, tti_builder *builder)                                           \
    {                                                                                                        \
        tti_neighbor_##NAME(shape, builder, WHOLE);                                                          \
    }

/* Whether a neighbour is there, and another rank than the caller. */
static inline bool tti_neighbor_is_other(const tti_shape *shape, int rank)
{
    return rank >= 0 && rank != shape->rank;
}

/* What the caller has for one of its targets. */
tti_extent tti_neighbor_given(const tti_shape *shape, int target, bool whole);
/* What goes along edges that lead back: copies. */
void tti_neighbor_keep_own(const tti_shape *shape, tti_builder *builder, bool whole);

/* What the tables of several say of one. */
#define TTI_NEIGHBOR_WINDOW "through shared memory where there is, up to a chunk, and else direct"
#define TTI_NEIGHBOR_SHOWN "each copies parts out of its sources' buffers, on one node"
#define TTI_NEIGHBOR_BLOCKS "as window, long parts block by block"
#define TTI_NEIGHBOR_COMBINED "on stencils, dimension by dimension: few messages of many parts"
#define TTI_NEIGHBOR_BY_NODE "on grids and stencils, one message from each node to each other"
#define TTI_NEIGHBOR_SHORT_BY_NODE "the same inside a node; on grids and stencils short parts share messages"

#endif
