/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests work out from the numbers of ranks and bytes. */
#include "bench/suite.h"
#include "tests/unit/expect.h"

enum { NORTH, SOUTH, WEST, EAST };

/* Whoever is my northern neighbour has me in the south, on grids of any shape. */
static void neighbours_are_mutual(void)
{
    for (int ranks = 1; ranks <= 40; ranks++)
        for (int rank = 0; rank < ranks; rank++)
            for (int way = NORTH; way <= EAST; way++) {
                int other = bench_halo_neighbour(rank, ranks, way);
                EXPECT(other >= 0 && other < ranks);
                EXPECT(bench_halo_neighbour(other, ranks, bench_halo_opposite(way)) == rank);
            }
}

static void grids_are_square_where_they_can_be(void)
{
    EXPECT(bench_halo_neighbour(0, 2, EAST) == 1 && bench_halo_neighbour(0, 2, NORTH) == 0);
    EXPECT(bench_halo_neighbour(1, 8, NORTH) == 5 && bench_halo_neighbour(1, 8, SOUTH) == 5);
    EXPECT(bench_halo_neighbour(0, 8, WEST) == 3 && bench_halo_neighbour(3, 8, EAST) == 0);
    EXPECT(bench_halo_neighbour(5, 16, NORTH) == 1 && bench_halo_neighbour(5, 16, SOUTH) == 9);
}

static void windows_keep_to_memory(void)
{
    EXPECT(bench_window_fitting(64, 0) == 64 && bench_window_fitting(64, 1 << 20) == 64);
    EXPECT(bench_window_fitting(64, 8 << 20) == 8 && bench_window_fitting(4, 8 << 20) == 4);
    EXPECT(bench_window_fitting(64, (size_t)1 << 30) == 1);
}

int main(void)
{
    neighbours_are_mutual();
    grids_are_square_where_they_can_be();
    windows_keep_to_memory();
    EXPECT(bench_find_test("halo") == &bench_halo && !bench_find_test("hal"));
    return 0;
}
