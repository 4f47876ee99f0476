/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has what. A field on the grid lies in rows (all x of some y); its Fourier transform in columns (all
 * wave numbers ky of some kx). Of the transform only wave numbers up to `highest` are kept, in both
 * directions: by the 2/3 rule products of two fields, which reach twice as far, then spoil none of them (S.
 * A. Orszag, J. Atmos. Sci. 28, 1971). Since fields are real, kx from 0 on tells all. Any number of ranks
 * goes: where there are more than rows or columns, some ranks have none. */
#ifndef SPECTRAL_SLABS_H
#define SPECTRAL_SLABS_H

#include <stdbool.h>

struct slabs {
    int rank, size;
    int grid;            /* rows in all */
    int highest;         /* wave number that is kept */
    int row, rows;       /* this rank's: the first, and how many */
    int column, columns; /* likewise: of kx */
};

void slabs_divide(struct slabs *slabs, int grid, int rank, int size);

/* The first row and column of `rank`; those of rank `size` are where all end. */
int slabs_row(const struct slabs *slabs, int rank);
int slabs_column(const struct slabs *slabs, int rank);

/* Wave number ky of place `i` of a column. */
static inline int slabs_wave(const struct slabs *slabs, int i)
{
    return i <= slabs->grid / 2 ? i : i - slabs->grid;
}

static inline bool slabs_keeps(const struct slabs *slabs, int wave)
{
    return wave <= slabs->highest && wave >= -slabs->highest;
}

#endif
