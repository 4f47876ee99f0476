/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing array of particles: those of a rank, and copies of those that others have beside it. */
#ifndef PARTICLES_SWARM_H
#define PARTICLES_SWARM_H

#include <stddef.h>
#include <stdint.h>
#include <tutti/tutti.h>

#include "examples/particles/choices.h"
#include "examples/particles/strips.h"

struct particle {
    int64_t number; /* its own for ever, from 0 */
    double x, y;    /* from 0 to below the side of the box */
    double speed_x, speed_y;
};

struct swarm {
    struct particle *at;
    size_t count, room;
    size_t own; /* the first so many are this rank's, the others copies */
};

/* Collective. Fills the rows of this rank. How many particles a cell gets is random; their numbers go on from
 * rank to rank, as tutti_exscan() tells. */
void swarm_begin(struct swarm *swarm, tutti_comm *world, const struct strips *strips,
                 const struct choices *choices);
void swarm_close(struct swarm *swarm);

/* Room for `more` at the end; their place, not yet counted. */
struct particle *swarm_grow(struct swarm *swarm, size_t more);
void swarm_add(struct swarm *swarm, struct particle particle);

#endif
