/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers about all particles. Sums are of integers, and so the same for every number of ranks. */
#ifndef PARTICLES_CENSUS_H
#define PARTICLES_CENSUS_H

#include <stdbool.h>
#include <stdint.h>
#include <tutti/tutti.h>

#include "examples/particles/motion.h"

struct census {
    int64_t count;     /* of particles */
    int64_t numbers;   /* sum of their numbers: none is there twice if that and the count stay */
    double energy;     /* of motion, potential and repulsion, a particle */
    uint64_t checksum; /* of all numbers, places and speeds */
};

/* Collective. */
struct census census_take(tutti_comm *world, const struct motion *motion);

/* Collective. Writes a picture at rank 0: a dot where a particle is, red if it goes right, blue if it goes
 * left. False at rank 0 after a complaint. */
bool census_paint(tutti_comm *world, const struct motion *motion);

#endif
