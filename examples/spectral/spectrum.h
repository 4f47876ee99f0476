/* SPDX-License-Identifier: BSD-3-Clause */
/* How the energy is spread over the waves: at the beginning, and in all. */
#ifndef SPECTRAL_SPECTRUM_H
#define SPECTRAL_SPECTRUM_H

#include <complex.h>
#include <tutti/tutti.h>

#include "examples/spectral/settings.h"
#include "examples/spectral/slabs.h"

/* Waves of random phases, most of them of wave numbers near `scale` (J. C. McWilliams, J. Fluid Mech. 146,
 * 1984), with a mean square speed of 1. What a wave begins with follows from its wave numbers and the seed
 * alone, hence on every rank from the same numbers. */
void spectrum_begin(const struct slabs *slabs, const struct settings *settings, double complex *vorticity);

struct totals {
    double energy;    /* mean of half the squared speed */
    double enstrophy; /* mean of half the squared vorticity */
    bool sound;       /* false: some coefficient makes no sense any more */
};

/* Collective. The same for every number of ranks. */
struct totals spectrum_totals(tutti_comm *world, const struct slabs *slabs, const double complex *vorticity);

#endif
