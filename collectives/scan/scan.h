/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of scan, one file each; called through its table. */
#ifndef TTI_SCAN_H
#define TTI_SCAN_H

#include "collectives/contract/algorithm.h"

void tti_scan_doubling(const tti_shape *shape, tti_builder *builder);
void tti_scan_chain(const tti_shape *shape, tti_builder *builder);
void tti_scan_by_node(const tti_shape *shape, tti_builder *builder);
void tti_scan_window(const tti_shape *shape, tti_builder *builder);
void tti_scan_passed(const tti_shape *shape, tti_builder *builder);
void tti_scan_shown(const tti_shape *shape, tti_builder *builder);

#endif
