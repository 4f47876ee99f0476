/* SPDX-License-Identifier: BSD-3-Clause */
/* The fluid of one block, as a D2Q9 lattice: in each cell nine populations of particles, one at rest and
 * eight on their way to the neighbours. A step moves every population on and lets those that meet relax
 * towards their equilibrium with two relaxation times (TRT: I. Ginzburg, F. Verhaeghe, D. d'Humières, Commun.
 * Comput. Phys. 3, 2008). Units are the cell, the step and the density of the inflow. */
#ifndef FLOW_LATTICE_H
#define FLOW_LATTICE_H

#include <stddef.h>

#include "examples/flow/blocks.h"
#include "examples/flow/parameters.h"

#define DIRECTIONS 9

/* Where the populations go (y points down). Those of 2k-1 and 2k are opposite. */
static const int direction_x[DIRECTIONS] = {0, 1, -1, 0, 0, 1, -1, 1, -1};
static const int direction_y[DIRECTIONS] = {0, 0, 0, 1, -1, 1, -1, -1, 1};

/* State of a cell as people see it. */
struct cell {
    double density, velocity_x, velocity_y;
};

struct lattice {
    int width, height;    /* cells of the block, without the rim of one cell for what neighbours send */
    size_t stride, plane; /* doubles from row to row, from direction to direction */
    double *now, *next;   /* populations [direction][row][column] after this step and after the next */
    double inflow;        /* velocity at the edges */
    double even, odd;     /* relaxation rates of what is alike and what differs in opposite directions */
    size_t *solid, *held; /* places of solid cells, and of cells that keep the state of the inflow */
    size_t *outlet;       /* places of cells that copy their left neighbour */
    size_t solids, helds, outlets;
};

/* Place of cell x, y of the block (from -1: the rim) within a direction's plane. */
static inline size_t lattice_place(const struct lattice *lattice, int x, int y)
{
    return (size_t)(y + 1) * lattice->stride + (size_t)(x + 1);
}

/* Fills the block with the inflow, around the `solid` cells of the whole channel. */
void lattice_open(struct lattice *lattice, const struct block *block, const unsigned char *solid,
                  const struct parameters *parameters);
void lattice_close(struct lattice *lattice);

/* A step, in parts: the cells that need nothing from neighbours; those that do, once the rim is filled; the
 * walls and edges, which ends the step. */
void lattice_step_inside(struct lattice *lattice);
void lattice_step_border(struct lattice *lattice);
void lattice_step_edges(struct lattice *lattice);

struct cell lattice_cell(const struct lattice *lattice, int x, int y);

#endif
