/* SPDX-License-Identifier: BSD-3-Clause */
/* What moves the particles: a potential in which all are, and a soft repulsion of those nearer than 1. The
 * forces follow from one energy, so that the sum of that and of the motion stays what it is (but for the
 * step's error). */
#ifndef PARTICLES_FORCES_H
#define PARTICLES_FORCES_H

#include "examples/particles/cell_list.h"
#include "examples/particles/choices.h"
#include "examples/particles/swarm.h"

struct force {
    double x, y;
    double energy; /* in the potential, and half of each repulsion */
};

struct forces {
    const struct choices *choices;
    const struct cell_list *list;
    struct force *at; /* on each of this rank's own */
    size_t room;
};

void forces_open(struct forces *forces, const struct cell_list *list, const struct choices *choices);
void forces_close(struct forces *forces);

/* Of the swarm as the list has just sorted it. */
void forces_take(struct forces *forces, const struct swarm *swarm);

#endif
