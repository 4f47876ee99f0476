/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts inside a node, on the memory that its ranks share (by->shares). Parts pass through it piece by
 * piece, all parts at once: a region of a WINDOW has a place for a piece of each. The first two regions serve
 * for what goes to the leaders, the last two for what comes from them. */
#ifndef TTI_COMPOSE_BY_LEADERS_WINDOW_H
#define TTI_COMPOSE_BY_LEADERS_WINDOW_H

#include "collectives/compose/by_leaders.h"

/* What all ranks of the node have of each part is combined in its leader's OUTPUT. */
void tti_by_leaders_combine_shared(tti_by_leaders *by);
/* The rank at place `root` gives each leader its part, from OUTPUT to OUTPUT. */
void tti_by_leaders_scatter_shared(tti_by_leaders *by, int root);
/* As tti_by_leaders_spread(). */
void tti_by_leaders_spread_shared(tti_by_leaders *by, int except);

#endif
