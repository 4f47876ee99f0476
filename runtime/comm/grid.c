/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/comm/grid.h"

int tti_grid_places(const tti_grid *grid)
{
    int places = 1;
    for (int d = 0; d < grid->dims; d++)
        places *= grid->extents[d];
    return places;
}

void tti_grid_coords_of(const tti_grid *grid, int rank, int *coords)
{
    for (int d = grid->dims - 1; d >= 0; d--) {
        coords[d] = rank % grid->extents[d];
        rank /= grid->extents[d];
    }
}

/* The coordinate within the grid, or -1. */
static int come_round(const tti_grid *grid, int dim, int64_t coord)
{
    const int64_t extent = grid->extents[dim];
    if (grid->periodic[dim]) return (int)((coord % extent + extent) % extent);
    return coord >= 0 && coord < extent ? (int)coord : -1;
}

int tti_grid_rank_from(const tti_grid *grid, const int *coords, const int *offset, int times)
{
    int rank = 0;
    for (int d = 0; d < grid->dims; d++) {
        const int coord = come_round(grid, d, coords[d] + (int64_t)times * offset[d]);
        if (coord < 0) return TUTTI_PROC_NULL;
        rank = rank * grid->extents[d] + coord;
    }
    return rank;
}

int tti_grid_rank_at(const tti_grid *grid, const int *coords)
{
    static const int nothing[TUTTI_GRID_DIMS_MAX];
    return tti_grid_rank_from(grid, coords, nothing, 0);
}

int tti_grid_beside(const tti_grid *grid, int rank, int dim, int64_t by)
{
    int coords[TUTTI_GRID_DIMS_MAX];
    tti_grid_coords_of(grid, rank, coords);
    coords[dim] = come_round(grid, dim, coords[dim] + by);
    return coords[dim] < 0 ? TUTTI_PROC_NULL : tti_grid_rank_at(grid, coords);
}

tti_grid tti_grid_keep(const tti_grid *grid, const int *keep)
{
    tti_grid kept = {.dims = 0};
    for (int d = 0; d < grid->dims; d++) {
        if (!keep[d]) continue;
        kept.extents[kept.dims] = grid->extents[d];
        kept.periodic[kept.dims++] = grid->periodic[d];
    }
    if (kept.dims == 0) kept.extents[kept.dims++] = 1;
    return kept;
}
