/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the order of their nodes are dealt out to the groups like cards:
 *
 *     node    a a a | b b b | c c c        groups of 3
 *     rank    0 1 2 | 3 4 5 | 6 7 8
 *     group   0 1 2 | 0 1 2 | 0 1 2 */
#include "keep/groups.h"

#include <stdlib.h>

#include "keep/buddies.h"
#include "runtime/base/status.h"

/* None of one rank alone. */
static int count_groups(int size, int most)
{
    const int groups = (size + most - 1) / most;
    if (size / groups >= 2) return groups;
    return size >= 2 ? size / 2 : 1;
}

int tti_keep_divide(const int *node_of, int most, tti_keep_groups *g)
{
    const int code = tti_keep_order(node_of, g->size, g->rank_at);
    if (code < 0) return code;
    for (int place = 0; place < g->size; place++)
        g->place_of[g->rank_at[place]] = place;
    g->groups = count_groups(g->size, most);
    return 0;
}

int tti_keep_group_size(const tti_keep_groups *g, int rank)
{
    return (g->size - g->place_of[rank] % g->groups + g->groups - 1) / g->groups;
}

int tti_keep_behind(const tti_keep_groups *g, int rank, int steps)
{
    const int group = g->place_of[rank] % g->groups, within = g->place_of[rank] / g->groups;
    return g->rank_at[group + (within + steps) % tti_keep_group_size(g, rank) * g->groups];
}

int tti_keep_steps(const tti_keep_groups *g, int rank, int other)
{
    const int size = tti_keep_group_size(g, rank);
    return (g->place_of[other] / g->groups - g->place_of[rank] / g->groups + size) % size;
}
