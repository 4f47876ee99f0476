/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles by cells, so that who is near is found at once; within a cell by their numbers. So forces are
 * always added up in one order, whoever has the particles, and are the same to the bit. */
#ifndef PARTICLES_CELL_LIST_H
#define PARTICLES_CELL_LIST_H

#include "examples/particles/strips.h"
#include "examples/particles/swarm.h"

struct cell_list {
    const struct strips *strips;
    size_t
        *begin; /* of each cell of the rank's rows, then of the rows above and below; one more at the end */
    struct swarm sorted; /* the other array of the two between which particles are sorted */
};

void cell_list_open(struct cell_list *list, const struct strips *strips);
void cell_list_close(struct cell_list *list);

/* Sorts the swarm, copies included: this rank's own come first. */
void cell_list_sort(struct cell_list *list, struct swarm *swarm);

/* Place in `begin` of a cell that this rank has or has copies of. */
size_t cell_list_place(const struct cell_list *list, int row, int column);

#endif
