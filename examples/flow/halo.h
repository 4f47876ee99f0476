/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocks send each other every step: the populations on their way out. To the neighbour on a side go the
 * three that point there, of every cell along that side; to the neighbour at a corner goes one. The messages
 * are the same every step, so they are persistent requests: made once, started again and again. */
#ifndef FLOW_HALO_H
#define FLOW_HALO_H

#include <tutti/tutti.h>

#include "examples/flow/lattice.h"

#define NEIGHBOURS (DIRECTIONS - 1)

struct message {
    size_t count;
    size_t *places; /* of its doubles in the lattice: direction's plane and place in it */
    double *doubles;
};

struct halo {
    struct message out[NEIGHBOURS], in[NEIGHBOURS];
    tutti_request *requests[2 * NEIGHBOURS];
};

void halo_open(struct halo *halo, tutti_comm *world, const struct block *block,
               const struct lattice *lattice);
void halo_close(struct halo *halo);

/* Sends the border of the lattice's current state and begins to receive the rim. */
void halo_start(struct halo *halo, const struct lattice *lattice);
/* Waits, and fills the rim. */
void halo_finish(struct halo *halo, struct lattice *lattice);

#endif
