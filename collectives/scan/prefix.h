/* SPDX-License-Identifier: BSD-3-Clause */
/* What scan and exscan share. */
#ifndef TTI_SCAN_PREFIX_H
#define TTI_SCAN_PREFIX_H

#include "collectives/contract/contract.h"

/* Prefix sums by recursive doubling, with the caller's own in them or not. */
void tti_prefix_doubling(const tti_shape *shape, tti_builder *builder, bool inclusive);
/* The same by nodes. */
void tti_prefix_by_node(const tti_shape *shape, tti_builder *builder, bool inclusive);

/* The sum of ranks 0 … last to OUTPUT, of two ranks or more; `last` may be -1. */
typedef void tti_prefix_fn(const tti_shape *shape, tti_builder *builder, int last);
/* By that each rank's own, also where there is no data, or one rank. */
void tti_prefix_each(const tti_shape *shape, tti_builder *builder, bool inclusive, tti_prefix_fn *combine);

static const tti_default_row tti_prefix_defaults[] = {
    {2, TTI_KIB(4), "window", 0, 0, "two ranks of a node, small: no reading in buffers"},
    {2, TTI_ANY_BYTES, "shown", 0, 0, "two ranks of a node, buffers that both have mapped: one copy"},
    {2, TTI_ANY_BYTES, "doubling", 2, 0, "two ranks: one message, a long one copied by both"},
    {64, TTI_KIB(64), "window", 0, 0, "on one node: each combines what it needs"},
    {4, TTI_ANY_BYTES, "passed", 0, TTI_KIB(32), "large, on one node: each rank combines once"},
    {16, TTI_ANY_BYTES, "passed", 0, TTI_KIB(16), "large, on one node: each rank combines once"},
    {64, TTI_ANY_BYTES, "passed", 0, TTI_MIB(64), "large, on one node: each rank combines once"},
    {128, TTI_KIB(1), "window", 0, 0, "on one node, small: one passage"},
    {TTI_ANY_RANKS, TTI_KIB(64), "by_node", 2, 0,
     "several ranks a node: one contribution a node on the network"},
    {TTI_ANY_RANKS, TTI_KIB(32), "doubling", 2, 0, "small: fewest rounds"},
    {8, TTI_MIB(1), "chain", 0, TTI_KIB(64), "large, few ranks: each combines once"},
    {TTI_ANY_RANKS, TTI_MIB(1), "by_node", 2, 0,
     "several ranks a node: one contribution a node on the network"},
    {16, TTI_MIB(1), "chain", 0, TTI_KIB(64), "large: each rank combines once"},
    {16, TTI_ANY_BYTES, "chain", 0, TTI_KIB(256), "very large: each rank combines once"},
    {TTI_ANY_RANKS, TTI_MIB(1), "doubling", 2, 0, "many ranks: rounds cost more than bandwidth"},
    {128, TTI_ANY_BYTES, "chain", 0, TTI_KIB(64), "very large: each rank combines once"},
    {TTI_ANY_RANKS, TTI_ANY_BYTES, "doubling", 2, 0, "very many ranks: fewest rounds"},
};

#endif
