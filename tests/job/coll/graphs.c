/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that carry neighbours: graphs and grids, what they tell of themselves, copies and parts;
 * edges of which the two ends differ, wrong arguments at one rank alone, and nobody hangs. */
#include <stdbool.h>

#include "tests/job/job.h"

#define MOST 32

static int sum_over(tutti_comm *comm)
{
    int sum = 0;
    OK(tutti_allreduce(comm, &(int){1}, &sum, 1, TUTTI_INT32, TUTTI_SUM));
    return sum;
}

static void expect_list(int count, const int *ranks, const int *weights, const int *expected,
                        const int *expected_weights, int expected_count)
{
    EXPECT(count == expected_count);
    for (int i = 0; i < count; i++)
        EXPECT(ranks[i] == expected[i] && weights[i] == expected_weights[i]);
}

/* Each rank has the next one as a target, twice, and itself, and the last rank as a source of all. */
static void test_graph(void)
{
    const int next = (rank + 1) % size, before = (rank + size - 1) % size, last = size - 1;
    const int sources[] = {last, before, rank, before}, source_weights[] = {4, 3, 2, 0};
    int targets[MOST] = {next, rank, next}, ones[MOST], ranks[MOST], weights[MOST];
    const int to_all = rank == last ? size : 0;
    tutti_comm *graph, *copy;
    for (int i = 0; i < MOST; i++)
        ones[i] = 1;
    for (int r = 0; r < to_all; r++)
        targets[3 + r] = r;
    OK(tutti_comm_graph(world, sources, source_weights, 4, targets, NULL, 3 + to_all, &graph));
    EXPECT(tutti_comm_rank(graph) == rank && tutti_comm_size(graph) == size && sum_over(graph) == size);
    OK(tutti_comm_dup(graph, &copy));
    OK(tutti_comm_free(&graph));
    EXPECT(sum_over(copy) == size);
    int count = tutti_comm_sources(copy, ranks, weights, MOST);
    expect_list(count, ranks, weights, sources, source_weights, 4);
    count = tutti_comm_targets(copy, ranks, weights, MOST);
    expect_list(count, ranks, weights, targets, ones, 3 + to_all);
    ranks[1] = -9;
    EXPECT(tutti_comm_targets(copy, ranks, NULL, 1) == 3 + to_all && ranks[0] == next && ranks[1] == -9);
    EXPECT(tutti_comm_sources(copy, NULL, NULL, 0) == 4);
    EXPECT(tutti_grid_extents(copy, NULL, NULL) == TUTTI_ERR_ARG);
    OK(tutti_comm_free(&copy));
    OK(tutti_comm_graph(world, NULL, NULL, 0, NULL, NULL, 0, &graph));
    EXPECT(tutti_comm_sources(graph, NULL, NULL, 0) == 0 && tutti_comm_targets(graph, NULL, NULL, 0) == 0);
    OK(tutti_comm_free(&graph));
}

static void expect_error(int code, int expected, const char *why)
{
    EXPECT(code == expected && strstr(tutti_error_detail(), why) != NULL);
}

/* The last rank gives another one than all others, and each says so of the first that it finds. */
static void expect_odd_one(int code, const char *what)
{
    char text[80];
    snprintf(text, sizeof text, "rank %d gives another %s than rank %d", rank == size - 1 ? 0 : size - 1,
             what, rank);
    expect_error(code, TUTTI_ERR_ARG, text);
}

/* Rank 0 sends the last one something twice, which knows of one edge. */
static void test_ends_differ(void)
{
    const int last = size - 1, zero = 0, lasts[] = {last, last};
    char why[100];
    tutti_comm *graph = NULL;
    if (size == 1) return;
    snprintf(why, sizeof why, "of edges from rank 0 to rank %d, the one knows of 2, the other of 1", last);
    const bool ends = rank == 0 || rank == last;
    const int code =
        tutti_comm_graph(world, &zero, NULL, rank == last ? 1 : 0, lasts, NULL, rank == 0 ? 2 : 0, &graph);
    expect_error(code, TUTTI_ERR_ARG, ends ? why : "other ranks differ");
    EXPECT(graph == NULL && sum_over(world) == size);
}

/* What is wrong at the last rank is an error at all. */
static void test_wrong_graph(void)
{
    const int last = size - 1, far[] = {0, size}, zeros[] = {0, 0}, below[] = {0, -1};
    char why[100];
    tutti_comm *graph = NULL;
    snprintf(why, sizeof why, "rank %d cannot take part", last);
    int code = rank == last ? tutti_comm_graph(world, far, NULL, 2, NULL, NULL, 0, &graph)
                            : tutti_comm_graph(world, NULL, NULL, 0, NULL, NULL, 0, &graph);
    if (rank == last)
        expect_error(code, TUTTI_ERR_RANK, "number 1 of the sources is rank");
    else
        expect_error(code, TUTTI_ERR_ARG, why);
    code = rank == last ? tutti_comm_graph(world, NULL, NULL, 0, zeros, below, 2, &graph)
                        : tutti_comm_graph(world, NULL, NULL, 0, NULL, NULL, 0, &graph);
    expect_error(code, TUTTI_ERR_ARG, rank == last ? "number 1 of the targets has the weight -1" : why);
    expect_error(tutti_comm_graph(world, NULL, NULL, 1, NULL, NULL, 0, &graph), TUTTI_ERR_ARG,
                 "1 sources that is NULL");
    expect_error(tutti_comm_graph(world, zeros, NULL, -1, NULL, NULL, 0, &graph), TUTTI_ERR_ARG,
                 "a list of -1 sources");
    expect_error(tutti_comm_graph(NULL, NULL, NULL, 0, NULL, NULL, 0, &graph), TUTTI_ERR_ARG, "comm is NULL");
    EXPECT(graph == NULL && sum_over(world) == size);
}

/* What a grid tells is what its extents say, and its ranks agree with each other on who is where. */
static void expect_grid(tutti_comm *grid, int dims, const int *extents, const int *periodic)
{
    int e[TUTTI_GRID_DIMS_MAX], p[TUTTI_GRID_DIMS_MAX], at[TUTTI_GRID_DIMS_MAX], there = -1, count = 1;
    int ranks[2 * TUTTI_GRID_DIMS_MAX], down, up;
    const int mine = tutti_comm_rank(grid);
    EXPECT(tutti_grid_extents(grid, e, p) == dims);
    for (int d = 0; d < dims; d++) {
        EXPECT(e[d] == extents[d] && p[d] == (periodic[d] != 0));
        count *= e[d];
    }
    EXPECT(tutti_comm_size(grid) == count && sum_over(grid) == count);
    OK(tutti_grid_coords(grid, mine, at));
    OK(tutti_grid_rank(grid, at, &there));
    EXPECT(there == mine && tutti_comm_sources(grid, ranks, NULL, 2 * dims) == 2 * dims);
    for (int d = 0; d < dims; d++) {
        OK(tutti_grid_shift(grid, d, 1, &down, &up));
        EXPECT(ranks[2 * d] == down && ranks[2 * d + 1] == up);
        at[d]++;
        OK(tutti_grid_rank(grid, at, &there));
        EXPECT(there == up && (up == TUTTI_PROC_NULL) == (!p[d] && at[d] == e[d]));
        at[d]--;
        OK(tutti_grid_shift(grid, d, -2 * e[d], &down, &up));
        EXPECT(p[d] ? down == mine && up == mine : down == TUTTI_PROC_NULL && up == TUTTI_PROC_NULL);
    }
}

static void test_parts(tutti_comm *grid, const int *extents, const int *periodic)
{
    int at[3], before[3];
    tutti_comm *part;
    for (int kept = 0; kept < 8; kept++) {
        int keep[3], e[3], p[3], dims = 0, key = 0;
        OK(tutti_grid_coords(grid, tutti_comm_rank(grid), at));
        for (int d = 0; d < 3; d++) {
            keep[d] = kept >> d & 1;
            if (!keep[d]) continue;
            key = key * extents[d] + at[d];
            e[dims] = extents[d];
            p[dims++] = periodic[d];
        }
        OK(tutti_grid_part(grid, keep, &part));
        if (dims > 0) expect_grid(part, dims, e, p);
        EXPECT(tutti_comm_rank(part) == key && (dims > 0 || tutti_comm_size(part) == 1));
        memcpy(before, at, sizeof at);
        OK(tutti_bcast(part, before, sizeof before, 0));
        for (int d = 0; d < 3; d++) /* the first rank of a part differs in what is kept alone */
            EXPECT(before[d] == (keep[d] ? 0 : at[d]));
        OK(tutti_comm_free(&part));
    }
}

static void test_grid(void)
{
    tutti_comm *grid, *copy;
    for (int reorder = 0; reorder < 2; reorder++) {
        const int none[3] = {0, 0, 0}, periodic[3] = {1, 0, 5};
        int extents[3] = {0, 0, 0};
        OK(tutti_grid_balance(size, 3, extents));
        OK(tutti_comm_grid(world, 3, none, periodic, reorder, &grid));
        expect_grid(grid, 3, extents, periodic);
        EXPECT(reorder || tutti_comm_rank(grid) == rank);
        test_parts(grid, extents, periodic);
        OK(tutti_comm_dup(grid, &copy));
        OK(tutti_comm_free(&grid));
        expect_grid(copy, 3, extents, periodic);
        OK(tutti_comm_free(&copy));
    }
}

/* Ranks that the grid has no place for get none. */
static void test_left_over(void)
{
    const int extents[] = {1, (size + 1) / 2};
    tutti_comm *grid;
    OK(tutti_comm_grid(world, 2, extents, NULL, 1, &grid));
    EXPECT((grid != NULL) == (rank < extents[1]));
    if (grid == NULL) return;
    expect_grid(grid, 2, extents, (const int[]){0, 0});
    OK(tutti_comm_free(&grid));
}

/* Also ranks that would have no place in the grid that they give hear of it. */
static void test_unlike_grids(void)
{
    const int line[] = {size}, point[] = {1};
    tutti_comm *grid = NULL;
    if (size == 1) return;
    EXPECT(tutti_comm_grid(world, 1, rank == 0 ? line : point, NULL, 0, &grid) == TUTTI_ERR_ARG);
    EXPECT(tutti_comm_grid(world, 1, rank == 0 ? point : line, NULL, 0, &grid) == TUTTI_ERR_ARG);
    EXPECT(grid == NULL && strstr(tutti_error_detail(), "gives another grid than rank") != NULL);
}

static void test_wrong_grid(void)
{
    const int line[] = {size}, over[] = {size + 1}, below[] = {-1}, odd[] = {0, size + 1};
    int there, e[2] = {0, 3}, keep[1] = {1};
    tutti_comm *grid = NULL, *part = NULL;
    expect_error(tutti_comm_grid(world, 0, line, NULL, 0, &grid), TUTTI_ERR_ARG, "0 dimensions");
    expect_error(tutti_comm_grid(world, 17, line, NULL, 0, &grid), TUTTI_ERR_ARG, "17 dimensions");
    expect_error(tutti_comm_grid(world, 1, NULL, NULL, 0, &grid), TUTTI_ERR_ARG, "without extents");
    expect_error(tutti_comm_grid(world, 1, over, NULL, 0, &grid), TUTTI_ERR_ARG, "more places than");
    expect_error(tutti_comm_grid(world, 1, below, NULL, 0, &grid), TUTTI_ERR_ARG, "of dimension 0 is -1");
    expect_error(tutti_comm_grid(world, 2, odd, NULL, 0, &grid), TUTTI_ERR_ARG, "ranks do not fill");
    expect_error(tutti_grid_balance(0, 2, e), TUTTI_ERR_ARG, "a grid of 0 ranks");
    expect_error(tutti_grid_balance(4, 2, e), TUTTI_ERR_ARG, "4 ranks do not fill");
    expect_error(tutti_grid_part(world, keep, &part), TUTTI_ERR_ARG, "comm is not on a grid");
    expect_error(tutti_comm_sources(world, NULL, NULL, 0), TUTTI_ERR_ARG,
                 "was not made as a graph or a grid");
    /* One rank has other ideas than the others. */
    const int code = tutti_comm_grid(world, 1, line, rank == size - 1 ? NULL : keep, 0, &grid);
    if (size > 1) expect_odd_one(code, "grid");
    if (size == 1) OK(tutti_comm_free(&grid));
    OK(tutti_comm_grid(world, 1, line, NULL, 0, &grid));
    expect_error(tutti_grid_part(grid, NULL, &part), TUTTI_ERR_ARG, "keep is NULL");
    expect_error(tutti_grid_coords(grid, size, &there), TUTTI_ERR_RANK, "is not in 0 …");
    expect_error(tutti_grid_rank(grid, NULL, &there), TUTTI_ERR_ARG, "an argument is NULL");
    expect_error(tutti_grid_shift(grid, 1, 1, &there, &there), TUTTI_ERR_ARG, "dimension 1 is not in 0 … 0");
    expect_error(tutti_comm_targets(grid, NULL, NULL, -1), TUTTI_ERR_ARG, "room for -1 neighbours");
    OK(tutti_comm_free(&grid));
}

/* The neighbours to the right and above on the left: of a rank and its copy, also of one made of another
 * stencil; and what is refused, of which that at one rank alone. */
static void test_stencil(void)
{
    const int extents[2] = {0, 0}, periodic[2] = {1, 1}, offsets[] = {0, 1, -1, -1}, other[] = {0, 1, -1, 0};
    int found[2], e[2], at[2], there;
    tutti_comm *grid, *stencil = NULL, *copy;
    OK(tutti_comm_grid(world, 2, extents, periodic, 0, &grid));
    OK(tutti_comm_stencil(grid, other, 1, &stencil));
    OK(tutti_comm_free(&grid));
    OK(tutti_comm_stencil(stencil, offsets, 2, &grid));
    OK(tutti_comm_dup(grid, &copy));
    EXPECT(tutti_comm_targets(copy, found, NULL, 2) == 2 && tutti_grid_extents(copy, e, NULL) == 2);
    OK(tutti_grid_coords(copy, tutti_comm_rank(copy), at));
    OK(tutti_grid_rank(copy, (const int[]){at[0] - 1, at[1] - 1}, &there));
    EXPECT(found[1] == there && sum_over(copy) == size);
    OK(tutti_comm_free(&copy));
    OK(tutti_comm_free(&stencil));
    OK(tutti_comm_stencil(grid, NULL, 0, &stencil));
    EXPECT(tutti_comm_sources(stencil, NULL, NULL, 0) == 0 && sum_over(stencil) == size);
    OK(tutti_comm_free(&stencil));
    expect_error(tutti_comm_stencil(world, offsets, 2, &stencil), TUTTI_ERR_ARG, "comm is not on a grid");
    expect_error(tutti_comm_stencil(grid, NULL, 2, &stencil), TUTTI_ERR_ARG, "2 offsets that is NULL");
    expect_error(tutti_comm_stencil(grid, offsets, -1, &stencil), TUTTI_ERR_ARG, "list of -1 offsets");
    expect_error(tutti_comm_stencil(grid, offsets, 4097, &stencil), TUTTI_ERR_LIMIT, "has 4096 at most");
    const int code = tutti_comm_stencil(grid, rank == size - 1 ? other : offsets, 2, &stencil);
    if (size > 1) expect_odd_one(code, "stencil");
    if (size == 1) OK(tutti_comm_free(&stencil));
    EXPECT(stencil == NULL);
    OK(tutti_comm_free(&grid));
}

/* From rank 0 to the last one, or to itself: as many edges as there may be, and one more, which all are told
 * of. */
static void test_most_edges(void)
{
    const int most = 65536, from = 0, to = size - 1;
    int *ends = calloc((size_t)most + 1, sizeof *ends);
    int *sources = calloc((size_t)most + 1, sizeof *sources);
    EXPECT(ends != NULL && sources != NULL);
    for (int i = 0; i <= most; i++)
        ends[i] = to;
    for (int edges = most; edges <= most + 1; edges++) {
        tutti_comm *graph = NULL;
        const int code = tutti_comm_graph(world, sources, NULL, rank == to ? edges : 0, ends, NULL,
                                          rank == from ? edges : 0, &graph);
        const int told = rank == from || rank == to ? TUTTI_ERR_LIMIT : TUTTI_ERR_ARG;
        EXPECT(code == (edges > most ? told : 0) && (graph == NULL) == (edges > most));
        if (graph == NULL) continue;
        EXPECT(tutti_comm_sources(graph, NULL, NULL, 0) == (rank == to ? edges : 0));
        OK(tutti_comm_free(&graph));
    }
    free(ends);
    free(sources);
}

int main(void)
{
    job_open(TUTTI_THREAD_SINGLE);
    EXPECT(size + 3 <= MOST);
    test_graph();
    test_ends_differ();
    test_wrong_graph();
    test_most_edges();
    test_grid();
    test_left_over();
    test_wrong_grid();
    test_unlike_grids();
    test_stencil();
    return job_close();
}
