/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/slabs.h"

#include "examples/common/cuts.h"

int slabs_row(const struct slabs *s, int rank)
{
    return share_begin(s->grid, s->size, rank);
}

int slabs_column(const struct slabs *s, int rank)
{
    return share_begin(s->highest + 1, s->size, rank);
}

void slabs_divide(struct slabs *s, int grid, int rank, int size)
{
    *s = (struct slabs){.rank = rank, .size = size, .grid = grid, .highest = (grid - 1) / 3};
    s->row = slabs_row(s, rank);
    s->rows = slabs_row(s, rank + 1) - s->row;
    s->column = slabs_column(s, rank);
    s->columns = slabs_column(s, rank + 1) - s->column;
}
