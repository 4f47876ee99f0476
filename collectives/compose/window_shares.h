/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TTI_COMPOSE_WINDOW_SHARES_H
#define TTI_COMPOSE_WINDOW_SHARES_H

#include "collectives/contract/algorithm.h"

/* A reduction for all, of data of two or more ranks: each rank combines a part of every block, and all
 * collect the parts. `counted`: they meet by counting (schedule.h), and the caller may be the last to come.
 */
void tti_window_share_out(const tti_shape *shape, tti_builder *builder, bool counted);

#endif
