/* SPDX-License-Identifier: BSD-3-Clause */
/* Who owns what: the box is divided into rows of cells, and each rank has a strip of rows with all that is in
 * them. Any number of ranks goes: where there are more than rows, some have none. */
#ifndef PARTICLES_STRIPS_H
#define PARTICLES_STRIPS_H

struct strips {
    int rank, size;
    int side;      /* rows of the box, and cells in each */
    int row, rows; /* this rank's: the first, and how many */
};

void strips_divide(struct strips *strips, int side, int rank, int size);

/* Row or column of the cell in which a coordinate is, from 0 to below the side. */
int strips_cell(const struct strips *strips, double coordinate);

/* Row or column `i`, which may lie beyond an edge of the box by one, on the other side of it. */
int strips_wrap(const struct strips *strips, int i);

int strips_owner(const struct strips *strips, int row);

#endif
