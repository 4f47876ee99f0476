/* SPDX-License-Identifier: BSD-3-Clause */
/* What is simulated: the parameter file and the command line. */
#ifndef FLOW_PARAMETERS_H
#define FLOW_PARAMETERS_H

#include <stdbool.h>

#define FLOW_PATH 1024
#define FLOW_ADDRESS 280

struct parameters {
    char obstacle[FLOW_PATH];    /* picture of the channel, one pixel a cell */
    char output[FLOW_PATH];      /* picture to write */
    double velocity;             /* of the inflow, in cells per step */
    double reynolds;             /* velocity × length / viscosity */
    double length;               /* of the obstacle across the flow, in cells */
    int steps;                   /* to run */
    int report;                  /* steps between two lines of progress */
    char live[FLOW_ADDRESS];     /* of a viewer that the field is sent to; empty: none */
    char live_secret[FLOW_PATH]; /* file with the secret that the viewer knows; empty: none */
    int keep;                    /* steps after which the state is kept, to survive deaths; 0: never */
    int live_every;              /* steps between two frames for the viewer */
};

/* Whether --help is on the command line; printed then by who speaks. */
bool parameters_help(int argc, char **argv, bool speaks);

/* Reads the command line and the parameter file it names. False after a complaint. */
bool parameters_read(int argc, char **argv, struct parameters *parameters);

/* Kinematic viscosity in cells² per step. */
double parameters_viscosity(const struct parameters *parameters);

/* Vorticity that a picture shows in full colour, in 1/step. */
double parameters_strongest(const struct parameters *parameters);

#endif
