/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges between neighbours: by a message along each edge, or through the memory that ranks share; called
 * through the tables of their collectives, which are here. */
#ifndef TTI_COLLECTIVES_NEIGHBOR_DIRECT_H
#define TTI_COLLECTIVES_NEIGHBOR_DIRECT_H

#include "collectives/contract/contract.h"

/* To each target the part for it. */
void tti_neighbor_direct_parts(const tti_shape *shape, tti_builder *builder);
/* To each target the same. */
void tti_neighbor_direct_whole(const tti_shape *shape, tti_builder *builder);

void tti_neighbor_window_parts(const tti_shape *shape, tti_builder *builder);
void tti_neighbor_window_whole(const tti_shape *shape, tti_builder *builder);

/* What goes along edges that lead back: copies. */
void tti_neighbor_keep_own(const tti_shape *shape, tti_builder *builder, bool whole);

#define TTI_NEIGHBOR_WINDOW "through shared memory where there is, up to a chunk, and else direct"

static const tti_algorithm tti_neighbor_parts_algorithms[] = {
    {"direct", tti_neighbor_direct_parts, 0, "one message along each edge"},
    {"window", tti_neighbor_window_parts, TTI_TAKES_WINDOW | TTI_SHARES_WINDOW | TTI_TAKES_CHUNK,
     TTI_NEIGHBOR_WINDOW},
};

static const tti_algorithm tti_neighbor_whole_algorithms[] = {
    {"direct", tti_neighbor_direct_whole, 0, "one message to each target"},
    {"window", tti_neighbor_window_whole, TTI_TAKES_WINDOW | TTI_TAKES_CHUNK, TTI_NEIGHBOR_WINDOW},
};

static const tti_default_row tti_neighbor_defaults[] = {
    {8, TTI_ANY_BYTES, "window", 0, TTI_KIB(64), "few ranks: their windows fit caches, two copies are quick"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "window", 0, TTI_KIB(16), "on a node small parts through its memory"},
};

#endif
