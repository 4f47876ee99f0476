/* SPDX-License-Identifier: BSD-3-Clause */
/* What is simulated: the command line. Lengths are in units of the range of the repulsion, masses are 1. */
#ifndef PARTICLES_CHOICES_H
#define PARTICLES_CHOICES_H

struct choices {
    int side;         /* of the periodic box, in cells of length 1 */
    int steps;        /* to run */
    int report;       /* steps between two lines of progress */
    double density;   /* particles a cell, in the mean */
    double stiffness; /* of the repulsion: the force of two particles in one place */
    double well;      /* depth of the potential that all are in */
    double speed;     /* with which layers stream past each other at the beginning */
    double length;    /* of a step in time */
    int seed;         /* of the first places */
    char output[1024];
};

#endif
