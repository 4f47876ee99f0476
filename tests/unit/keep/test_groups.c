/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups: none of one rank, none too large, and on nodes apart wherever no node has too many ranks. */
#include "keep/groups.h"

#include <stdbool.h>

#include "tests/unit/expect.h"

#define RANKS 40

static bool may_be_apart(const int *node_of, const tti_keep_groups *g)
{
    int ranks[RANKS] = {0};
    for (int r = 0; r < g->size; r++)
        if (++ranks[node_of[r]] > g->groups) return false;
    return true;
}

/* A ring, in which all that are reached are of it, once. */
static void expect_ring(const int *node_of, const tti_keep_groups *g, int rank, int most)
{
    const int size = tti_keep_group_size(g, rank);
    const bool apart = may_be_apart(node_of, g);
    EXPECT(size <= (most < 3 ? 3 : most) && (size >= 2 || g->size == 1));
    EXPECT(tti_keep_behind(g, rank, 0) == rank && tti_keep_behind(g, rank, size) == rank);
    for (int i = 1; i < size; i++) {
        const int other = tti_keep_behind(g, rank, i);
        EXPECT(other != rank && other >= 0 && other < g->size);
        EXPECT(tti_keep_steps(g, rank, other) == i && tti_keep_steps(g, other, rank) == size - i);
        EXPECT(tti_keep_behind(g, other, size - i) == rank);
        EXPECT(!apart || node_of[other] != node_of[rank]);
    }
}

static void expect_groups(const int *node_of, int size, int most)
{
    int rank_at[RANKS], place_of[RANKS];
    tti_keep_groups g = {size, 0, rank_at, place_of};
    EXPECT(tti_keep_divide(node_of, most, &g) == 0);
    for (int r = 0; r < size; r++)
        expect_ring(node_of, &g, r, most);
}

int main(void)
{
    int node_of[RANKS];
    unsigned seed = 1;
    for (int size = 1; size <= RANKS; size++)
        for (int most = 2; most <= 8; most++)
            for (int nodes = 1; nodes <= size; nodes++) {
                for (int r = 0; r < size; r++)
                    node_of[r] = (int)((seed = seed * 1103515245u + 12345u) >> 16) % nodes;
                expect_groups(node_of, size, most);
            }
    return 0;
}
