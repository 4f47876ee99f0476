/* SPDX-License-Identifier: BSD-3-Clause */
/* What scan and exscan share. */
#ifndef TTI_SCAN_PREFIX_H
#define TTI_SCAN_PREFIX_H

#include "collectives/contract/algorithm.h"

/* Prefix sums by recursive doubling, with the caller's own in them or not. */
void tti_prefix_doubling(const tti_shape *shape, tti_builder *builder, bool inclusive);
/* The same by nodes. */
void tti_prefix_by_node(const tti_shape *shape, tti_builder *builder, bool inclusive);

#endif
