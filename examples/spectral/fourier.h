/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms of one row or column, by FFTW, always in the same memory and by a plan that is not
 * chosen by measuring (FFTW_ESTIMATE): so a row's result is the same to the bit on whichever rank it is. None
 * of them divides by the number of points. */
#ifndef SPECTRAL_FOURIER_H
#define SPECTRAL_FOURIER_H

#include <complex.h>
/* After <complex.h>, so that its numbers are double complex. */
#include <fftw3.h>

struct fourier {
    double *row;            /* values of a field along x, `grid` of them */
    double complex *waves;  /* of a row: kx from 0 to grid / 2 */
    double complex *column; /* values along y, or ky as slabs_wave() has it; transformed in place */
    fftw_plan to_waves, to_row, to_column_waves, to_column_values;
};

void fourier_open(struct fourier *fourier, int grid);
void fourier_close(struct fourier *fourier);

#endif
