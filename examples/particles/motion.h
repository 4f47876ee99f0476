/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps in time: velocity Verlet. Speeds change by half a step, places by a whole one, then particles go to
 * their new owners, and forces are taken; speeds change by the other half. */
#ifndef PARTICLES_MOTION_H
#define PARTICLES_MOTION_H

#include <tutti/tutti.h>

#include "examples/particles/forces.h"
#include "examples/particles/parcels.h"

struct motion {
    const struct choices *choices;
    struct strips strips;
    struct parcels parcels;
    struct cell_list list;
    struct forces forces;
    struct swarm swarm;
};

/* Collective, as motion_step(). The particles are at their beginning. */
void motion_open(struct motion *motion, tutti_comm *world, const struct choices *choices);
void motion_close(struct motion *motion);

void motion_step(struct motion *motion);

#endif
