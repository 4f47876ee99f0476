/* SPDX-License-Identifier: BSD-3-Clause */
/* What is simulated: the command line. */
#ifndef SPECTRAL_SETTINGS_H
#define SPECTRAL_SETTINGS_H

struct settings {
    int grid;         /* points along each side of the box, whose length is 2π */
    int steps;        /* to run */
    int report;       /* steps between two lines of progress */
    double viscosity; /* kinematic; the fluid's mean speed is 1 at the beginning */
    double courant;   /* part of a grid cell that the fastest fluid passes in a step */
    double scale;     /* wave number at which most of the energy is at the beginning */
    int seed;         /* of the phases of the waves that it begins with */
    char output[1024];
};

#endif
