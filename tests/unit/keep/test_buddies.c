/* SPDX-License-Identifier: BSD-3-Clause */
/* Buddies: a permutation without fixed points, on another node wherever that can be. */
#include "keep/buddies.h"

#include <string.h>

#include "tests/unit/expect.h"

#define RANKS 40

static int largest_node(const int *node_of, int size)
{
    int ranks[RANKS] = {0}, largest = 0;
    for (int r = 0; r < size; r++)
        if (++ranks[node_of[r]] > largest) largest = ranks[node_of[r]];
    return largest;
}

/* Those of a node with more than half of the ranks that must stay at home. */
static int least_at_home(const int *node_of, int size)
{
    const int largest = largest_node(node_of, size);
    return 2 * largest > size ? 2 * largest - size : 0;
}

static void expect_pairs(const int *node_of, int size)
{
    int buddy[RANKS], wards[RANKS] = {0}, at_home = 0;
    EXPECT(tti_keep_pair(node_of, size, buddy) == 0);
    for (int r = 0; r < size; r++) {
        EXPECT(buddy[r] >= 0 && buddy[r] < size && (buddy[r] != r || size == 1));
        wards[buddy[r]]++;
        at_home += node_of[buddy[r]] == node_of[r];
    }
    for (int r = 0; r < size; r++)
        EXPECT(wards[r] == 1);
    EXPECT(at_home == least_at_home(node_of, size));
}

int main(void)
{
    int node_of[RANKS];
    unsigned seed = 1;
    for (int size = 1; size <= RANKS; size++)
        for (int nodes = 1; nodes <= size; nodes++)
            for (int round = 0; round < 20; round++) {
                for (int r = 0; r < size; r++)
                    node_of[r] = (int)((seed = seed * 1103515245u + 12345u) >> 16) % nodes;
                expect_pairs(node_of, size);
            }
    const int uneven[] = {0, 0, 0, 1, 1, 2, 2}, expected[] = {3, 4, 5, 6, 0, 1, 2};
    int buddy[7];
    EXPECT(tti_keep_pair(uneven, 7, buddy) == 0 && memcmp(buddy, expected, sizeof expected) == 0);
    return 0;
}
