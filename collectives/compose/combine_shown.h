/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_COMPOSE_COMBINE_SHOWN_H
#define TTI_COMPOSE_COMBINE_SHOWN_H

#include "collectives/contract/algorithm.h"

/* Combines a part of the contributions of ranks 0 … last, which they show as INPUT, into `to`: in pieces that
 * stay in a near cache while rank after rank is added. Where `to` is the place of the own contribution, of a
 * call in place, that gives way to the whole of a piece only. */
void tti_combine_shown(const tti_shape *shape, tti_builder *builder, int last, tti_extent part, tti_place to);

#endif
