/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/image.h"
#include "examples/common/mishap.h"
#include "examples/spectral/transpose.h"

/* Values of this rank's rows. */
static double *rows_of(tutti_comm *world, const struct slabs *s, struct fourier *f,
                       const double complex *vorticity)
{
    const size_t grid = (size_t)s->grid;
    double *rows = allocate((size_t)s->rows * grid, sizeof *rows);
    struct transpose to_rows;
    transpose_open(&to_rows, world, s, 1, TO_ROWS);
    for (int k = 0; k < s->columns; k++) {
        memcpy(f->column, vorticity + (size_t)k * grid, grid * sizeof *f->column);
        fftw_execute(f->to_column_values);
        transpose_put_column(&to_rows, k, 0, f->column);
    }
    transpose_run(&to_rows);
    for (int y = 0; y < s->rows; y++) {
        memset(f->waves, 0, (grid / 2 + 1) * sizeof *f->waves);
        transpose_get_row(&to_rows, y, 0, f->waves);
        fftw_execute(f->to_row);
        memcpy(rows + (size_t)y * grid, f->row, grid * sizeof *rows);
    }
    transpose_close(&to_rows);
    return rows;
}

double *snapshot_take(tutti_comm *world, const struct slabs *s, struct fourier *f,
                      const double complex *vorticity)
{
    const size_t grid = (size_t)s->grid;
    double *rows = rows_of(world, s, f, vorticity), *field = NULL;
    size_t *counts = allocate((size_t)s->size, sizeof *counts);
    for (int q = 0; q < s->size; q++)
        counts[q] = (size_t)(slabs_row(s, q + 1) - slabs_row(s, q)) * grid;
    if (s->rank == 0) field = allocate(grid * grid, sizeof *field);
    CHECK(tutti_gatherv(world, rows, (size_t)s->rows * grid, field, counts, NULL, TUTTI_DOUBLE, 0));
    free(counts);
    free(rows);
    return field;
}

bool snapshot_paint(const char *path, const double *field, int grid)
{
    const size_t points = (size_t)grid * (size_t)grid;
    struct colour *pixels = allocate(points, sizeof *pixels);
    struct shades shades;
    double most = 0;
    for (size_t i = 0; i < points; i++)
        most = fmax(most, fabs(field[i]));
    shades_mix(&shades);
    for (size_t i = 0; i < points; i++)
        pixels[i] = shades_colour(&shades, most > 0 ? field[i] / most : 0);
    const bool written = image_write(path, grid, grid, pixels);
    free(pixels);
    return written;
}
