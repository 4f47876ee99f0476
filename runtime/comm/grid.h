/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids of ranks: arithmetic alone. Places are counted with the last dimension fastest. */
#ifndef TTI_COMM_GRID_H
#define TTI_COMM_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "tutti/neighbors.h"

typedef struct {
    int dims;
    int extents[TUTTI_GRID_DIMS_MAX];
    bool periodic[TUTTI_GRID_DIMS_MAX];
} tti_grid;

/* Places of a grid, of which there must be no more than an int can count. */
int tti_grid_places(const tti_grid *grid);
void tti_grid_coords_of(const tti_grid *grid, int rank, int *coords);
/* TUTTI_PROC_NULL beyond an edge. */
int tti_grid_rank_at(const tti_grid *grid, const int *coords);
/* Who is `times` an offset from there. */
int tti_grid_rank_from(const tti_grid *grid, const int *coords, const int *offset, int times);
/* Who is `by` places along dimension `dim` from `rank`, or TUTTI_PROC_NULL. */
int tti_grid_beside(const tti_grid *grid, int rank, int dim, int64_t by);
/* That of the dimensions in `keep`; of none, one dimension of one place. */
tti_grid tti_grid_keep(const tti_grid *grid, const int *keep);

/* grid_balance.c: sets the extents that are 0, for so many ranks in all (tutti_grid_balance()); false if that
 * cannot be. Extents are not negative. */
bool tti_grid_fill(int ranks, int dims, int *extents);

/* grid_blocks.c: who of the ranks 0 … places - 1, of which each has the label of its node, is to be at each
 * place, so that ranks of a node are close to each other. Freed by the caller; NULL if memory is out. */
int *tti_grid_by_nodes(const tti_grid *grid, const int *labels);

#endif
