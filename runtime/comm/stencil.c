/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/comm/stencil.h"

#include <stdlib.h>
#include <string.h>

tti_stencil *tti_stencil_make(const tti_grid *grid, const int *offsets, int count)
{
    const size_t bytes = (size_t)count * (size_t)grid->dims * sizeof *offsets;
    tti_stencil *made = malloc(sizeof *made + bytes);
    if (made == NULL) return NULL;
    made->grid = *grid;
    made->count = count;
    if (bytes > 0) memcpy(made->offsets, offsets, bytes);
    return made;
}

int tti_stencil_reach(const tti_stencil *stencil, int rank, int number, int times)
{
    int coords[TUTTI_GRID_DIMS_MAX];
    tti_grid_coords_of(&stencil->grid, rank, coords);
    return tti_grid_rank_from(&stencil->grid, coords, stencil->offsets + number * stencil->grid.dims, times);
}

bool tti_stencil_is_first(const tti_stencil *stencil, int number, int dim)
{
    const int offset = tti_stencil_offset(stencil, number, dim);
    for (int i = 0; i < number; i++)
        if (tti_stencil_offset(stencil, i, dim) == offset) return false;
    return true;
}

bool tti_stencil_combines(const tti_stencil *stencil)
{
    int messages = 0, far = 0;
    for (int i = 0; i < stencil->count; i++) {
        bool moves = false;
        for (int d = 0; d < stencil->grid.dims; d++) {
            const bool along = tti_stencil_offset(stencil, i, d) != 0;
            messages += along && tti_stencil_is_first(stencil, i, d);
            moves = moves || along;
        }
        far += moves;
    }
    return messages < far;
}
