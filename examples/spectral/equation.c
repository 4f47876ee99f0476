/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/equation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/mishap.h"

enum { U, V, ALONG_X, ALONG_Y, FACTORS };

void equation_open(struct equation *e, tutti_comm *world, const struct slabs *s, double viscosity)
{
    *e = (struct equation){.slabs = s, .viscosity = viscosity};
    fourier_open(&e->fourier, s->grid);
    transpose_open(&e->to_rows, world, s, FACTORS, TO_ROWS);
    transpose_open(&e->to_columns, world, s, 1, TO_COLUMNS);
    e->product = allocate((size_t)s->grid, sizeof *e->product);
    e->velocity = allocate((size_t)s->grid, sizeof *e->velocity);
    e->speed_squared = allocate((size_t)s->grid, sizeof *e->speed_squared);
}

void equation_close(struct equation *e)
{
    transpose_close(&e->to_columns);
    transpose_close(&e->to_rows);
    fourier_close(&e->fourier);
    free(e->product);
    free(e->velocity);
    free(e->speed_squared);
}

/* What the wave kx, ky of the vorticity is multiplied by to give that of a factor, without i. */
static double multiplier(int factor, int kx, int ky)
{
    const double square = (double)kx * kx + (double)ky * ky;
    switch (factor) {
    case U: return square > 0 ? ky / square : 0;
    case V: return square > 0 ? -kx / square : 0;
    case ALONG_X: return kx;
    default: return ky;
    }
}

/* Columns of the four factors, from waves to values along y. */
static void factors_by_columns(struct equation *e, const double complex *vorticity)
{
    const struct slabs *s = e->slabs;
    double complex *const column = e->fourier.column;
    for (int k = 0; k < s->columns; k++, vorticity += s->grid)
        for (int factor = 0; factor < FACTORS; factor++) {
            for (int i = 0; i < s->grid; i++) {
                const double m = multiplier(factor, s->column + k, slabs_wave(s, i));
                column[i] = CMPLX(-m * cimag(vorticity[i]), m * creal(vorticity[i]));
            }
            fftw_execute(e->fourier.to_column_values);
            transpose_put_column(&e->to_rows, k, factor, column);
        }
}

/* Values along x of a factor in a row, in the Fourier transform's memory. */
static const double *factor_row(struct equation *e, int row, int factor)
{
    struct fourier *f = &e->fourier;
    memset(f->waves, 0, ((size_t)e->slabs->grid / 2 + 1) * sizeof *f->waves);
    transpose_get_row(&e->to_rows, row, factor, f->waves);
    fftw_execute(f->to_row);
    return f->row;
}

/* The product of velocity and gradient, row by row, as waves along x. */
static void products_by_rows(struct equation *e)
{
    const size_t grid = (size_t)e->slabs->grid;
    double most = 0;
    for (int y = 0; y < e->slabs->rows; y++) {
        memset(e->product, 0, grid * sizeof *e->product);
        memset(e->speed_squared, 0, grid * sizeof *e->speed_squared);
        for (int i = 0; i < 2; i++) {
            memcpy(e->velocity, factor_row(e, y, U + i), grid * sizeof *e->velocity);
            const double *gradient = factor_row(e, y, ALONG_X + i);
            for (size_t x = 0; x < grid; x++) {
                e->product[x] -= e->velocity[x] * gradient[x];
                e->speed_squared[x] += e->velocity[x] * e->velocity[x];
            }
        }
        for (size_t x = 0; x < grid; x++)
            most = fmax(most, e->speed_squared[x]);
        memcpy(e->fourier.row, e->product, grid * sizeof *e->product);
        fftw_execute(e->fourier.to_waves);
        transpose_put_row(&e->to_columns, y, 0, e->fourier.waves);
    }
    e->fastest = sqrt(most);
}

/* Back to waves along y, and friction. */
static void rate_by_columns(struct equation *e, const double complex *vorticity, double complex *rate)
{
    const struct slabs *s = e->slabs;
    const double share = 1.0 / ((double)s->grid * s->grid);
    for (int k = 0; k < s->columns; k++, vorticity += s->grid, rate += s->grid) {
        const double kx = s->column + k;
        transpose_get_column(&e->to_columns, k, 0, e->fourier.column);
        fftw_execute(e->fourier.to_column_waves);
        for (int i = 0; i < s->grid; i++) {
            const int ky = slabs_wave(s, i);
            const double friction = e->viscosity * (kx * kx + (double)ky * ky);
            rate[i] = slabs_keeps(s, ky) ? e->fourier.column[i] * share - friction * vorticity[i] : 0;
        }
    }
}

void equation_rate(struct equation *e, const double complex *vorticity, double complex *rate)
{
    factors_by_columns(e, vorticity);
    transpose_run(&e->to_rows);
    products_by_rows(e);
    transpose_run(&e->to_columns);
    rate_by_columns(e, vorticity, rate);
}
