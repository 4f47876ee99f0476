/* SPDX-License-Identifier: BSD-3-Clause */
/* The algorithms of scatterv that scatter has not, one file each; called through its table. */
#ifndef TTI_SCATTERV_H
#define TTI_SCATTERV_H

#include "collectives/contract/algorithm.h"

void tti_scatterv_window(const tti_shape *shape, tti_builder *builder);

#endif
