/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between neighbours by a message along each edge; called through the tables of their
 * collectives. */
#ifndef TTI_COLLECTIVES_NEIGHBOR_DIRECT_H
#define TTI_COLLECTIVES_NEIGHBOR_DIRECT_H

#include "collectives/contract/algorithm.h"

/* To each target the part for it. */
void tti_neighbor_direct_parts(const tti_shape *shape, tti_builder *builder);
/* To each target the same. */
void tti_neighbor_direct_whole(const tti_shape *shape, tti_builder *builder);

#endif
