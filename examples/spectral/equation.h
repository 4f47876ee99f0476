/* SPDX-License-Identifier: BSD-3-Clause */
/* How the vorticity ω of an incompressible fluid in the plane changes:
 *
 *     ∂ω/∂t = -u ∂ω/∂x - v ∂ω/∂y + ν ∇²ω        u = ∂ψ/∂y   v = -∂ψ/∂x   ∇²ψ = -ω
 *
 * Derivatives and ψ are taken of the waves, where they are products with wave numbers; the two products on
 * the grid, where they are products of values. The state is ω's Fourier coefficients: of each column of this
 * rank, all ky; those that are not kept are zero. */
#ifndef SPECTRAL_EQUATION_H
#define SPECTRAL_EQUATION_H

#include "examples/spectral/fourier.h"
#include "examples/spectral/slabs.h"
#include "examples/spectral/transpose.h"

struct equation {
    const struct slabs *slabs;
    double viscosity;
    struct fourier fourier;
    struct transpose to_rows;                   /* of u, v, ∂ω/∂x, ∂ω/∂y */
    struct transpose to_columns;                /* of the products */
    double *product, *velocity, *speed_squared; /* a row of each */
    double fastest; /* speed in the rows of this rank, when the rate was last taken */
};

/* Collective, as equation_rate(). */
void equation_open(struct equation *equation, tutti_comm *world, const struct slabs *slabs, double viscosity);
void equation_close(struct equation *equation);

/* Rate of change of the coefficients. */
void equation_rate(struct equation *equation, const double complex *vorticity, double complex *rate);

#endif
