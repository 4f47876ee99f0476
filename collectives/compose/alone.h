/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_COMPOSE_ALONE_H
#define TTI_COMPOSE_ALONE_H

#include "collectives/contract/algorithm.h"
#include "collectives/schedule/builder.h"

/* Whether a reduction of `bytes` needs no others: there is nothing to combine, or one rank alone, whose own
 * data, which this copies to where the result belongs, are the result. */
bool tti_combines_alone(const tti_shape *shape, tti_builder *builder, size_t bytes);

#endif
