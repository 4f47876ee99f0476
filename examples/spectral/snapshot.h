/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole field at rank 0. */
#ifndef SPECTRAL_SNAPSHOT_H
#define SPECTRAL_SNAPSHOT_H

#include <complex.h>
#include <tutti/tutti.h>

#include "examples/spectral/fourier.h"
#include "examples/spectral/slabs.h"

/* Collective. The vorticity on the grid, in rows, at rank 0, to be freed by free(); NULL elsewhere. */
double *snapshot_take(tutti_comm *world, const struct slabs *slabs, struct fourier *fourier,
                      const double complex *vorticity);

/* Writes it as a PNG of a pixel for each point. False after a complaint. */
bool snapshot_paint(const char *path, const double *field, int grid);

#endif
