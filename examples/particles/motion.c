/* SPDX-License-Identifier: BSD-3-Clause */
#include "examples/particles/motion.h"

#include <math.h>

/* With copies of what is beside this rank's rows, all of it by cells. */
static void take_forces(struct motion *m)
{
    parcels_copy(&m->parcels, &m->swarm);
    cell_list_sort(&m->list, &m->swarm);
    forces_take(&m->forces, &m->swarm);
}

void motion_open(struct motion *m, tutti_comm *world, const struct choices *c)
{
    *m = (struct motion){.choices = c};
    strips_divide(&m->strips, c->side, tutti_comm_rank(world), tutti_comm_size(world));
    parcels_open(&m->parcels, world, &m->strips);
    cell_list_open(&m->list, &m->strips);
    forces_open(&m->forces, &m->list, c);
    swarm_begin(&m->swarm, world, &m->strips, c);
    take_forces(m);
}

void motion_close(struct motion *m)
{
    swarm_close(&m->swarm);
    forces_close(&m->forces);
    cell_list_close(&m->list);
    parcels_close(&m->parcels);
}

static void push(struct motion *m)
{
    for (size_t i = 0; i < m->swarm.own; i++) {
        m->swarm.at[i].speed_x += m->choices->length / 2 * m->forces.at[i].x;
        m->swarm.at[i].speed_y += m->choices->length / 2 * m->forces.at[i].y;
    }
}

/* Into the box. What lies below zero by less than a rounding error comes out as the side itself. */
static double into(double coordinate, int side)
{
    const double in = coordinate - side * floor(coordinate / side);
    return in < side ? in : 0;
}

static void drift(struct motion *m)
{
    for (size_t i = 0; i < m->swarm.own; i++) {
        struct particle *const p = &m->swarm.at[i];
        p->x = into(p->x + m->choices->length * p->speed_x, m->choices->side);
        p->y = into(p->y + m->choices->length * p->speed_y, m->choices->side);
    }
}

void motion_step(struct motion *m)
{
    push(m);
    drift(m);
    parcels_move(&m->parcels, &m->swarm);
    take_forces(m);
    push(m);
}
