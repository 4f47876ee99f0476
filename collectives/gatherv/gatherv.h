/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of gatherv that gather has not, one file each; called through its table. */
#ifndef TTI_GATHERV_H
#define TTI_GATHERV_H

#include "collectives/contract/algorithm.h"

void tti_gatherv_window(const tti_shape *shape, tti_builder *builder);

#endif
