/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/spectral/fourier.h"

#include <tutti/tutti.h>

#include "examples/common/mishap.h"

void fourier_open(struct fourier *f, int grid)
{
    f->row = fftw_alloc_real((size_t)grid);
    f->waves = fftw_alloc_complex((size_t)grid / 2 + 1);
    f->column = fftw_alloc_complex((size_t)grid);
    if (f->row == NULL || f->waves == NULL || f->column == NULL) stop("fftw_alloc", TUTTI_ERR_NO_MEMORY);
    f->to_waves = fftw_plan_dft_r2c_1d(grid, f->row, f->waves, FFTW_ESTIMATE);
    f->to_row = fftw_plan_dft_c2r_1d(grid, f->waves, f->row, FFTW_ESTIMATE);
    f->to_column_waves = fftw_plan_dft_1d(grid, f->column, f->column, FFTW_FORWARD, FFTW_ESTIMATE);
    f->to_column_values = fftw_plan_dft_1d(grid, f->column, f->column, FFTW_BACKWARD, FFTW_ESTIMATE);
}

void fourier_close(struct fourier *f)
{
    fftw_destroy_plan(f->to_waves);
    fftw_destroy_plan(f->to_row);
    fftw_destroy_plan(f->to_column_waves);
    fftw_destroy_plan(f->to_column_values);
    fftw_free(f->row);
    fftw_free(f->waves);
    fftw_free(f->column);
    fftw_cleanup();
}
