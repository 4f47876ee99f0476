/* SPDX-License-Identifier: BSD-3-Clause */
/* Scan's algorithm of this name (scan/prefix_by_node.c), with the caller's own left out of its result. */
#include "collectives/exscan/exscan.h"
#include "collectives/scan/prefix.h"

void tti_exscan_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_prefix_by_node(shape, builder, false);
}
