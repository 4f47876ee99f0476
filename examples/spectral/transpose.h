/* SPDX-License-Identifier: BSD-3-Clause */
/* From rows to columns and back: every rank has something for every other, and since rows and columns need
 * not divide evenly, parts are of different sizes: an alltoallv. What goes where is the same every time, so
 * it is a persistent one, made once. Several fields go together, in one call.
 *
 *     rank 0:  rows 0 1   × all columns        rank 0:  all rows × columns 0 1
 *     rank 1:  rows 2 3   × all columns   →    rank 1:  all rows × column 2
 *     rank 2:  row  4     × all columns        rank 2:  all rows × column 3
 */
#ifndef SPECTRAL_TRANSPOSE_H
#define SPECTRAL_TRANSPOSE_H

#include <complex.h>
#include <tutti/tutti.h>

#include "examples/spectral/slabs.h"

enum direction { TO_COLUMNS, TO_ROWS };

struct transpose {
    const struct slabs *slabs;
    size_t fields;
    double complex *by_rank; /* rows of this rank: [rank][row][column of that rank][field] */
    double complex *by_row;  /* columns of this rank: [row of all][column][field] */
    tutti_request *request;
};

/* Collective, as transpose_run(). */
void transpose_open(struct transpose *transpose, tutti_comm *world, const struct slabs *slabs, int fields,
                    enum direction direction);
void transpose_close(struct transpose *transpose);

/* Between putting in what is there and getting out what has come. */
void transpose_run(struct transpose *transpose);

/* A whole row of this rank (from 0), by columns up to the highest; a whole column (from 0), by rows. */
void transpose_put_row(struct transpose *transpose, int row, int field, const double complex *from);
void transpose_get_row(const struct transpose *transpose, int row, int field, double complex *to);
void transpose_put_column(struct transpose *transpose, int column, int field, const double complex *from);
void transpose_get_column(const struct transpose *transpose, int column, int field, double complex *to);

#endif
