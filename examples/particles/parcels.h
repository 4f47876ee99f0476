/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles on their way to other ranks. How many go where differs from step to step, and who gets them does
 * not know: the ranks tell each other the counts by an alltoall, then the particles go by an alltoallv. */
#ifndef PARTICLES_PARCELS_H
#define PARTICLES_PARCELS_H

#include <tutti/tutti.h>

#include "examples/particles/strips.h"
#include "examples/particles/swarm.h"

struct parcels {
    tutti_comm *world;
    const struct strips *strips;
    struct swarm unsorted, sorted; /* what goes out, as it was added and by receivers */
    int *receivers;                /* of the unsorted */
    size_t receivers_room;
    size_t *send_counts, *send_offsets, *recv_counts; /* by rank */
};

void parcels_open(struct parcels *parcels, tutti_comm *world, const struct strips *strips);
void parcels_close(struct parcels *parcels);

/* Collective, as parcels_copy(). Hands particles that are in a row of another's over to it; of the swarm only
 * this rank's own are left then, in no order. */
void parcels_move(struct parcels *parcels, struct swarm *swarm);

/* Appends copies of what other ranks have in the rows above and below this rank's. */
void parcels_copy(struct parcels *parcels, struct swarm *swarm);

#endif
