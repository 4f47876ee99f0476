/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours by offsets on a grid, the same at each place: arithmetic alone. */
#ifndef TTI_COMM_STENCIL_H
#define TTI_COMM_STENCIL_H

#include "runtime/comm/grid.h"

typedef struct {
    tti_grid grid;
    int count;
    int offsets[]; /* [count][grid.dims] */
} tti_stencil;

/* Freed by free(); NULL if memory is out. */
tti_stencil *tti_stencil_make(const tti_grid *grid, const int *offsets, int count);
/* The offset of this number along a dimension. */
static inline int tti_stencil_offset(const tti_stencil *stencil, int number, int dim)
{
    return stencil->offsets[number * stencil->grid.dims + dim];
}
/* Who is at the place of `rank` moved `times` (1 or -1) by an offset, or TUTTI_PROC_NULL. */
int tti_stencil_reach(const tti_stencil *stencil, int rank, int number, int times);
/* Whether no offset of a smaller number is the same along the dimension. */
bool tti_stencil_is_first(const tti_stencil *stencil, int number, int dim);
/* Whether all that goes by offsets can go dimension by dimension in fewer messages than there are offsets. */
bool tti_stencil_combines(const tti_stencil *stencil);

#endif
