/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank owns a cube of a periodic 3-D grid and trades its six faces with its neighbours, with persistent
 * requests. What arrives is the neighbour's rank, which is checked:  tuttirun -n 8 halo3d */
#include <stdio.h>
#include <tutti/tutti.h>

#define SIDE 32
#define FACE (SIDE * SIDE)

static double out[6][FACE], in[6][FACE];

/* As near to a cube of ranks as the number allows. */
static void divide(int size, int grid[3])
{
    double least = 3.0 * size;
    for (int x = 1; x <= size; x++)
        for (int y = 1; y <= size / x; y++)
            if (size % (x * y) == 0 && x + y + size / (x * y) < least) {
                least = x + y + size / (x * y);
                grid[0] = x, grid[1] = y, grid[2] = size / (x * y);
            }
}

/* Rank one step along `axis`, round the edges. */
static int neighbour(const int grid[3], int rank, int axis, int step)
{
    int at[3] = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    at[axis] = (at[axis] + step + grid[axis]) % grid[axis];
    return (at[0] * grid[1] + at[1]) * grid[2] + at[2];
}

int main(void)
{
    tutti_comm *world;
    if (tutti_init(&world, NULL) != 0) {
        fprintf(stderr, "halo3d: %s\n", tutti_error_detail());
        return 1;
    }
    const int rank = tutti_comm_rank(world), size = tutti_comm_size(world);
    int grid[3] = {size, 1, 1}, wrong = 0, all = 0, peers[6];
    divide(size, grid);

    tutti_request *requests[12];
    for (int f = 0; f < 6; f++) { /* face f: axis f / 2, down if even, up if odd; it arrives as face f ^ 1 */
        peers[f] = neighbour(grid, rank, f / 2, f % 2 == 0 ? -1 : 1);
        TUTTI_CHECK(tutti_recv_init(world, in[f], sizeof in[f], peers[f], f ^ 1, &requests[f]));
        TUTTI_CHECK(tutti_send_init(world, out[f], sizeof out[f], peers[f], f, &requests[6 + f]));
    }
    for (int step = 0; step < 100; step++) {
        for (int f = 0; f < 6; f++)
            for (int i = 0; i < FACE; i++)
                out[f][i] = rank + 1000.0 * step;
        TUTTI_CHECK(tutti_startall(12, requests));
        TUTTI_CHECK(tutti_waitall(12, requests, NULL));
        for (int f = 0; f < 6; f++)
            for (int i = 0; i < FACE; i++)
                wrong += in[f][i] != peers[f] + 1000.0 * step;
    }
    for (int i = 0; i < 12; i++)
        TUTTI_CHECK(tutti_request_free(&requests[i]));
    TUTTI_CHECK(tutti_allreduce(world, &wrong, &all, 1, TUTTI_INT32, TUTTI_SUM));
    if (rank == 0)
        printf("%d x %d x %d ranks traded faces; %d doubles were wrong\n", grid[0], grid[1], grid[2], all);
    TUTTI_CHECK(tutti_finalize());
    return all != 0;
}
