/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/transpose.h"

#include <stdlib.h>

#include "examples/common/mishap.h"

/* Numbers that this rank has in rows for each rank, or in columns of each rank. They lie one after the other.
 */
static size_t *count_parts(const struct slabs *s, size_t fields, bool in_rows)
{
    size_t *counts = allocate((size_t)s->size, sizeof *counts);
    for (int q = 0; q < s->size; q++) {
        const int rows = in_rows ? s->rows : slabs_row(s, q + 1) - slabs_row(s, q);
        const int columns = in_rows ? slabs_column(s, q + 1) - slabs_column(s, q) : s->columns;
        counts[q] = (size_t)rows * (size_t)columns * fields;
    }
    return counts;
}

void transpose_open(struct transpose *t, tutti_comm *world, const struct slabs *s, int fields,
                    enum direction direction)
{
    *t = (struct transpose){.slabs = s, .fields = (size_t)fields};
    t->by_rank = allocate((size_t)s->rows * (size_t)(s->highest + 1) * t->fields, sizeof *t->by_rank);
    t->by_row = allocate((size_t)s->grid * (size_t)s->columns * t->fields, sizeof *t->by_row);
    size_t *in_rows = count_parts(s, t->fields, true), *in_columns = count_parts(s, t->fields, false);
    if (direction == TO_COLUMNS)
        CHECK(tutti_alltoallv_init(world, t->by_rank, in_rows, NULL, t->by_row, in_columns, NULL,
                                   TUTTI_DOUBLE_COMPLEX, &t->request));
    else
        CHECK(tutti_alltoallv_init(world, t->by_row, in_columns, NULL, t->by_rank, in_rows, NULL,
                                   TUTTI_DOUBLE_COMPLEX, &t->request));
    free(in_rows);
    free(in_columns);
}

void transpose_close(struct transpose *t)
{
    CHECK(tutti_request_free(&t->request));
    free(t->by_rank);
    free(t->by_row);
}

void transpose_run(struct transpose *t)
{
    CHECK(tutti_start(t->request));
    CHECK(tutti_wait(&t->request, NULL));
}

/* Where a row of this rank has its columns of rank `q`. */
static double complex *part_of_row(const struct transpose *t, int q, int row)
{
    const struct slabs *s = t->slabs;
    const int first = slabs_column(s, q), columns = slabs_column(s, q + 1) - first;
    return t->by_rank + ((size_t)s->rows * (size_t)first + (size_t)row * (size_t)columns) * t->fields;
}

void transpose_put_row(struct transpose *t, int row, int field, const double complex *from)
{
    for (int q = 0; q < t->slabs->size; q++) {
        double complex *to = part_of_row(t, q, row) + field;
        for (int k = slabs_column(t->slabs, q); k < slabs_column(t->slabs, q + 1); k++, to += t->fields)
            *to = from[k];
    }
}

void transpose_get_row(const struct transpose *t, int row, int field, double complex *to)
{
    for (int q = 0; q < t->slabs->size; q++) {
        const double complex *from = part_of_row(t, q, row) + field;
        for (int k = slabs_column(t->slabs, q); k < slabs_column(t->slabs, q + 1); k++, from += t->fields)
            to[k] = *from;
    }
}

void transpose_put_column(struct transpose *t, int column, int field, const double complex *from)
{
    const size_t stride = (size_t)t->slabs->columns * t->fields;
    double complex *to = t->by_row + (size_t)column * t->fields + field;
    for (int y = 0; y < t->slabs->grid; y++, to += stride)
        *to = from[y];
}

void transpose_get_column(const struct transpose *t, int column, int field, double complex *to)
{
    const size_t stride = (size_t)t->slabs->columns * t->fields;
    const double complex *from = t->by_row + (size_t)column * t->fields + field;
    for (int y = 0; y < t->slabs->grid; y++, from += stride)
        to[y] = *from;
}
