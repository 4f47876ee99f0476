/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids: coordinates there and back, steps with and without coming round, balanced extents against trying
 * all, blocks for nodes; and how neighbours' edges are numbered. */
#include <limits.h>

#include "runtime/comm/neighbourhood.h"
#include "tests/unit/expect.h"

static void test_coords(void)
{
    const tti_grid grid = {.dims = 3, .extents = {2, 3, 4}, .periodic = {false, true, false}};
    int at[3];
    EXPECT(tti_grid_places(&grid) == 24);
    for (int r = 0; r < 24; r++) {
        tti_grid_coords_of(&grid, r, at);
        EXPECT(r == (at[0] * 3 + at[1]) * 4 + at[2] && tti_grid_rank_at(&grid, at) == r);
    }
    EXPECT(tti_grid_rank_at(&grid, (const int[]){1, 2, 3}) == 23);
    EXPECT(tti_grid_rank_at(&grid, (const int[]){1, -1, 3}) == 23);
    EXPECT(tti_grid_rank_at(&grid, (const int[]){1, 302, 3}) == 23);
    EXPECT(tti_grid_rank_at(&grid, (const int[]){1, 0, 4}) == TUTTI_PROC_NULL);
    EXPECT(tti_grid_rank_at(&grid, (const int[]){-1, 0, 0}) == TUTTI_PROC_NULL);
    EXPECT(tti_grid_beside(&grid, 23, 1, 1) == 15 && tti_grid_beside(&grid, 23, 1, -4) == 19);
    EXPECT(tti_grid_beside(&grid, 23, 1, -(int64_t)INT_MIN) ==
           tti_grid_beside(&grid, 23, 1, -(int64_t)INT_MIN % 3));
    EXPECT(tti_grid_beside(&grid, 23, 0, 1) == TUTTI_PROC_NULL && tti_grid_beside(&grid, 23, 0, -1) == 11);
}

static void test_keep(void)
{
    const tti_grid grid = {.dims = 3, .extents = {2, 3, 4}, .periodic = {true, false, true}};
    const tti_grid outer = tti_grid_keep(&grid, (const int[]){1, 0, 1});
    EXPECT(outer.dims == 2 && outer.extents[0] == 2 && outer.extents[1] == 4);
    EXPECT(outer.periodic[0] && outer.periodic[1]);
    const tti_grid none = tti_grid_keep(&grid, (const int[]){0, 0, 0});
    EXPECT(none.dims == 1 && none.extents[0] == 1 && !none.periodic[0]);
}

/* The least sum of three numbers with that product. */
static int least_of_three(int product)
{
    int least = product + 2;
    for (int x = 1; x <= product; x++)
        for (int y = 1; product % x == 0 && y <= product / x; y++)
            if (product / x % y == 0 && x + y + product / x / y < least) least = x + y + product / x / y;
    return least;
}

static void test_balance(void)
{
    for (int ranks = 1; ranks <= 300; ranks++) {
        int e[3] = {0, 0, 0};
        EXPECT(tti_grid_fill(ranks, 3, e));
        EXPECT(e[0] * e[1] * e[2] == ranks && e[0] + e[1] + e[2] == least_of_three(ranks));
        EXPECT(e[0] >= e[1] && e[1] >= e[2] && e[2] >= 1);
    }
    int flat[2] = {0, 0}, fixed[3] = {0, 3, 0}, wrong[2] = {0, 5}, full[2] = {3, 4}, over[2] = {7, 4};
    EXPECT(tti_grid_fill(72, 2, flat) && flat[0] == 9 && flat[1] == 8);
    EXPECT(tti_grid_fill(24, 3, fixed) && fixed[0] == 4 && fixed[1] == 3 && fixed[2] == 2);
    EXPECT(!tti_grid_fill(24, 2, wrong) && tti_grid_fill(12, 2, full) && !tti_grid_fill(24, 2, full));
    EXPECT(!tti_grid_fill(12, 2, over));
    /* Of a number with more divisors than most, in as many dimensions as there may be. */
    int many[TUTTI_GRID_DIMS_MAX] = {0};
    double product = 1;
    EXPECT(tti_grid_fill(2095133040, TUTTI_GRID_DIMS_MAX, many));
    for (int d = 0; d < TUTTI_GRID_DIMS_MAX; d++)
        product *= many[d];
    EXPECT(product == 2095133040.0);
}

static void expect_order(const tti_grid *grid, const int *labels, const int *expected)
{
    int *order = tti_grid_by_nodes(grid, labels);
    EXPECT(order != NULL);
    for (int i = 0; i < tti_grid_places(grid); i++)
        EXPECT(order[i] == expected[i]);
    free(order);
}

static void test_blocks(void)
{
    const tti_grid high = {.dims = 2, .extents = {4, 6}}, wide = {.dims = 2, .extents = {2, 6}};
    /* Six nodes of four ranks, one after the other; then dealt. */
    expect_order(
        &high, (const int[]){0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5},
        (const int[]){0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11, 12, 13, 16, 17, 20, 21, 14, 15, 18, 19, 22, 23});
    expect_order(
        &high, (const int[]){9, 7, 5, 3, 8, 1, 9, 7, 5, 3, 8, 1, 9, 7, 5, 3, 8, 1, 9, 7, 5, 3, 8, 1},
        (const int[]){0, 6, 1, 7, 2, 8, 12, 18, 13, 19, 14, 20, 3, 9, 4, 10, 5, 11, 15, 21, 16, 22, 17, 23});
    /* Three nodes of four: squares of two. */
    expect_order(&wide, (const int[]){0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
                 (const int[]){0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11});
    /* Nodes that differ, and ones that no block fits: one rank after the other. */
    expect_order(&wide, (const int[]){0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                 (const int[]){0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1});
    expect_order(&(tti_grid){.dims = 2, .extents = {3, 3}}, (const int[]){0, 0, 0, 0, 0, 0, 0, 0, 0},
                 (const int[]){0, 1, 2, 3, 4, 5, 6, 7, 8});
}

static void test_edges(void)
{
    static const int ranks[] = {4, 1, 4, 4, 1, 0}, weights[] = {1, 2, 3, 4, 5, 6};
    static const int numbers[] = {0, 0, 1, 2, 1, 0};
    const tti_named_neighbours some = {ranks, weights, 6}, none = {NULL, NULL, 0};
    tti_neighbours *made = tti_neighbours_make(&some, &none), *copy;
    EXPECT(made != NULL && made->targets.count == 0 && made->sources.count == 6);
    copy = tti_neighbours_copy(made);
    tti_neighbours_free(made);
    EXPECT(copy != NULL && copy->targets.count == 0 && copy->sources.count == 6);
    for (int i = 0; i < 6; i++)
        EXPECT(copy->sources.ranks[i] == ranks[i] && copy->sources.numbers[i] == numbers[i] &&
               copy->sources.weights[i] == weights[i]);
    EXPECT(tti_neighbours_find(&copy->sources, 4, 2) == 3 && tti_neighbours_find(&copy->sources, 4, 3) < 0);
    tti_neighbours_free(copy);
}

/* Both ends of each edge of a grid name it alike: what goes up is what comes from below. */
static void test_grid_edges(void)
{
    const tti_grid grid = {.dims = 4, .extents = {1, 2, 3, 2}, .periodic = {true, true, true, false}};
    tti_neighbours *all[12];
    for (int r = 0; r < 12; r++) {
        all[r] = tti_neighbours_of_grid(&grid, r);
        EXPECT(all[r] != NULL && all[r]->sources.count == 8 && all[r]->targets.count == 8);
    }
    for (int r = 0; r < 12; r++)
        for (int i = 0; i < 8; i++) {
            const int to = all[r]->targets.ranks[i];
            EXPECT(to == tti_grid_beside(&grid, r, i / 2, i % 2 == 0 ? -1 : 1));
            EXPECT(to == all[r]->sources.ranks[i]);
            if (to == TUTTI_PROC_NULL) continue;
            EXPECT(tti_neighbours_find(&all[to]->sources, r, all[r]->targets.numbers[i]) == (i ^ 1));
        }
    for (int r = 0; r < 12; r++)
        tti_neighbours_free(all[r]);
}

int main(void)
{
    test_coords();
    test_keep();
    test_balance();
    test_blocks();
    test_edges();
    test_grid_edges();
    return 0;
}
