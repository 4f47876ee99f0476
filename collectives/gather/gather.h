/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of gather, one file each; called through its table. */
#ifndef TTI_GATHER_H
#define TTI_GATHER_H

#include "collectives/compose/rooted_short.h"

void tti_gather_knomial(const tti_shape *shape, tti_builder *builder);
void tti_gather_linear(const tti_shape *shape, tti_builder *builder);
void tti_gather_by_node(const tti_shape *shape, tti_builder *builder);
void tti_gather_by_node_linear(const tti_shape *shape, tti_builder *builder);
void tti_gather_window(const tti_shape *shape, tti_builder *builder);
void tti_gather_shown(const tti_shape *shape, tti_builder *builder);
void tti_gather_put(const tti_shape *shape, tti_builder *builder);

/* What linear does with all blocks but the short ones, and with the root's own. */
void tti_gather_messages(const tti_shape *shape, tti_builder *builder, tti_rooted_short left_out);

#endif
