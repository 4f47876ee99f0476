/* SPDX-License-Identifier: BSD-3-Clause */
/* prefix_by_node.c, with the caller's own in its result. */
#include "collectives/scan/prefix.h"
#include "collectives/scan/scan.h"

void tti_scan_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_prefix_by_node(shape, builder, true);
}
