/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectives/exscan/exscan.h"
#include "collectives/scan/prefix.h"

/* As scan's, with the caller's own left out of its result. */
void tti_exscan_by_node(const tti_shape *shape, tti_builder *builder)
{
    tti_prefix_by_node(shape, builder, false);
}
