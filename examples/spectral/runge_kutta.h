/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps in time: the classical Runge-Kutta method of fourth order. */
#ifndef SPECTRAL_RUNGE_KUTTA_H
#define SPECTRAL_RUNGE_KUTTA_H

#include "examples/spectral/equation.h"
#include "examples/spectral/settings.h"

struct runge_kutta {
    tutti_comm *world;
    const struct settings *settings;
    struct equation equation;
    size_t count;              /* coefficients of this rank */
    double complex *vorticity; /* the state */
    double complex *stage, *rate, *sum;
    double time;
};

/* Collective, as runge_kutta_step(). The state is zero. */
void runge_kutta_open(struct runge_kutta *method, tutti_comm *world, const struct slabs *slabs,
                      const struct settings *settings);
void runge_kutta_close(struct runge_kutta *method);

/* As far as the fastest fluid of all ranks and the viscosity allow. */
void runge_kutta_step(struct runge_kutta *method);

#endif
