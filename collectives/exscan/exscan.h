/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of exscan, one file each; called through its table. */
#ifndef TTI_EXSCAN_H
#define TTI_EXSCAN_H

#include "collectives/contract/algorithm.h"

void tti_exscan_doubling(const tti_shape *shape, tti_builder *builder);
void tti_exscan_chain(const tti_shape *shape, tti_builder *builder);
void tti_exscan_by_node(const tti_shape *shape, tti_builder *builder);
void tti_exscan_window(const tti_shape *shape, tti_builder *builder);
void tti_exscan_passed(const tti_shape *shape, tti_builder *builder);
void tti_exscan_shown(const tti_shape *shape, tti_builder *builder);

#endif
