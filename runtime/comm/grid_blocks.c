/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of each node on a block of the grid, all blocks of one form:
 *
 *   4 x 6 places, 6 nodes of 4 ranks      a a b b c c
 *                                         a a b b c c
 *                                         d d e e f f
 *                                         d d e e f f
 */
#include <stdint.h>
#include <stdlib.h>

#include "runtime/comm/grid.h"

typedef struct {
    const tti_grid *grid;
    int places; /* of a block */
    int chosen[TUTTI_GRID_DIMS_MAX], best[TUTTI_GRID_DIMS_MAX];
    double surface; /* of the best; < 0: none yet */
} fitting;

/* Faces of a block that others lie behind, of one side each. */
static double surface_of(const fitting *f)
{
    double faces = 0;
    for (int d = 0; d < f->grid->dims; d++)
        if (f->chosen[d] < f->grid->extents[d]) faces += (double)f->places / f->chosen[d];
    return faces;
}

static void search(fitting *f, int dim, int left)
{
    if (dim == f->grid->dims) {
        const double surface = left == 1 ? surface_of(f) : -1;
        if (surface < 0 || (f->surface >= 0 && surface >= f->surface)) return;
        f->surface = surface;
        for (int d = 0; d < dim; d++)
            f->best[d] = f->chosen[d];
        return;
    }
    for (int extent = 1; extent <= left && extent <= f->grid->extents[dim]; extent++) {
        if (left % extent != 0 || f->grid->extents[dim] % extent != 0) continue;
        f->chosen[dim] = extent;
        search(f, dim + 1, left / extent);
    }
}

typedef struct {
    int first, rank; /* the first rank of its node */
} seat;

static int by_node(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_label(const void *a, const void *b, void *labels)
{
    const int *label = labels, x = ((const seat *)a)->rank, y = ((const seat *)b)->rank;
    if (label[x] != label[y]) return label[x] < label[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* Node by node, in the order of their first ranks. */
static void sort_seats(seat *seats, int count, const int *labels)
{
    int first = 0;
    for (int i = 0; i < count; i++)
        seats[i].rank = i;
    qsort_r(seats, (size_t)count, sizeof *seats, by_label, (void *)(uintptr_t)labels);
    for (int i = 0; i < count; i++) {
        if (i == 0 || labels[seats[i].rank] != labels[first]) first = seats[i].rank;
        seats[i].first = first;
    }
    qsort(seats, (size_t)count, sizeof *seats, by_node);
}

/* Ranks of each node; 0 if nodes differ. */
static int ranks_of_each(const seat *seats, int count)
{
    int same = 0;
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && seats[end].first == seats[begin].first;)
            end++;
        if (begin > 0 && end - begin != same) return 0;
        same = end - begin;
    }
    return same;
}

/* Place number `index`, block by block: the blocks are a grid, and each is one. */
static int place_of(const tti_grid *grid, const tti_grid *blocks, const tti_grid *block, int index)
{
    int outer[TUTTI_GRID_DIMS_MAX], inner[TUTTI_GRID_DIMS_MAX];
    const int places = tti_grid_places(block);
    tti_grid_coords_of(blocks, index / places, outer);
    tti_grid_coords_of(block, index % places, inner);
    for (int d = 0; d < grid->dims; d++)
        inner[d] += outer[d] * block->extents[d];
    return tti_grid_rank_at(grid, inner);
}

static void seat_all(const tti_grid *grid, const seat *seats, int count, int *order)
{
    fitting f = {.grid = grid, .places = ranks_of_each(seats, count), .surface = -1};
    tti_grid block = *grid, blocks = *grid;
    if (f.places > 0) search(&f, 0, f.places);
    for (int d = 0; d < grid->dims; d++) {
        if (f.surface >= 0) block.extents[d] = f.best[d];
        blocks.extents[d] = grid->extents[d] / block.extents[d];
    }
    for (int i = 0; i < count; i++)
        order[place_of(grid, &blocks, &block, i)] = seats[i].rank;
}

int *tti_grid_by_nodes(const tti_grid *grid, const int *labels)
{
    const int count = tti_grid_places(grid);
    seat *seats = malloc((size_t)count * sizeof *seats);
    int *order = malloc((size_t)count * sizeof *order);
    if (seats != NULL && order != NULL) {
        sort_seats(seats, count, labels);
        seat_all(grid, seats, count, order);
    } else {
        free(order);
        order = NULL;
    }
    free(seats);
    return order;
}
